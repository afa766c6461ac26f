import os
import resource
import struct
import tracemalloc
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import pytest

from vision.camera import files
from vision.camera.files import PictureUnreadable, VisionError, open_picture

PICTURE = np.zeros((40, 60, 3), np.uint8)
PICTURE[:, :30] = (10, 200, 90)


def _coded(ending, picture=PICTURE, *options):
    done, coded = cv2.imencode(ending, picture, list(options))
    assert done
    return coded.tobytes()


def _png_header(width, height):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    body = struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return b"\x89PNG\r\n\x1a\n" + body


def _turned(orientation):
    """A JPEG whose EXIF says how it was held."""
    tiff = b"II*\x00\x08\x00\x00\x00" + struct.pack("<H", 1)
    tiff += struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0) + bytes(4)
    exif = b"Exif\x00\x00" + tiff
    segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    jpeg = _coded(".jpg")
    return jpeg[:2] + segment + jpeg[2:]


class TestPicturesThatOpen:
    @pytest.mark.parametrize("ending", [".jpg", ".png", ".webp", ".bmp"])
    def test_come_as_bgr_whatever_the_format(self, tmp_path, ending):
        path = tmp_path / f"a{ending}"
        path.write_bytes(_coded(ending))

        photo = open_picture(path)

        assert photo.picture.shape == (40, 60, 3)
        assert photo.size == (40, 60)
        assert np.abs(photo.picture[20, 10].astype(int) - (10, 200, 90)).max() < 20

    def test_are_turned_as_the_camera_was_held(self, tmp_path):
        path = tmp_path / "upright.jpg"
        path.write_bytes(_turned(6))

        photo = open_picture(path)

        assert photo.picture.shape == (60, 40, 3)
        assert photo.size == (60, 40)

    @pytest.mark.parametrize(
        "picture",
        [
            PICTURE[:, :, 0],
            np.dstack([PICTURE, np.full((40, 60), 255, np.uint8)]),
            PICTURE.astype(np.uint16) * 257,
        ],
        ids=["grey", "with alpha", "16 bit"],
    )
    def test_may_be_grey_transparent_or_deep(self, tmp_path, picture):
        path = tmp_path / "a.png"
        path.write_bytes(_coded(".png", picture))

        opened = open_picture(path).picture

        assert opened.shape == (40, 60, 3)
        assert opened.dtype == np.uint8

    def test_may_come_through_a_pipe(self):
        """As a shell gives it for ``<(curl ...)``: it says that it has no length."""
        reading, writing = os.pipe()
        os.write(writing, _coded(".png"))
        os.close(writing)

        assert open_picture(Path(f"/dev/fd/{reading}")).size == (40, 60)
        os.close(reading)

    def test_show_white_where_they_are_transparent(self, tmp_path):
        path = tmp_path / "a.png"
        path.write_bytes(_coded(".png", np.zeros((40, 60, 4), np.uint8)))

        assert open_picture(path).picture.min() == 255

    def test_are_halved_when_large_and_say_so(self, tmp_path):
        path = tmp_path / "large.jpg"
        path.write_bytes(_coded(".jpg", np.zeros((3600, 3600, 3), np.uint8)))

        photo = open_picture(path)

        assert photo.picture.shape == (1800, 1800, 3)
        assert photo.scale == 2.0
        assert photo.size == (3600, 3600)


class TestFilesThatAreRefused:
    @pytest.mark.parametrize(
        ("name", "content", "why"),
        [
            ("a.jpg", b"", "no picture"),
            ("a.jpg", b"hello, this is a text file", "no picture"),
            ("a.jpg", _coded(".jpg")[:400], "broken off"),
            ("a.jpg", b"\xff\xd8\xff", "no picture"),
            ("a.png", _coded(".png")[:60], "broken off"),
            ("a.png", _coded(".png", np.zeros((1, 1, 3), np.uint8)), "1x1"),
            ("a.png", _png_header(12000, 12000), "50 megapixels"),
            ("a.png", _png_header(2**31 - 1, 2**31 - 1), "50 megapixels"),
            ("a.png", _png_header(0, 0), "0x0"),
            ("a.bmp", b"BM" + bytes(20), "no picture|only"),
            ("a.webp", b"RIFF\x00\x00\x00\x00WEBPVP8X", "no picture"),
        ],
    )
    def test_say_in_one_line_what_is_wrong(self, tmp_path, capfd, name, content, why):
        path = tmp_path / name
        path.write_bytes(content)

        with pytest.raises(PictureUnreadable, match=why) as refusal:
            open_picture(path)

        assert str(path) in str(refusal.value)
        assert "\n" not in str(refusal.value)
        assert capfd.readouterr().err == ""

    def test_include_folders_and_missing_files(self, tmp_path):
        with pytest.raises(PictureUnreadable, match="is a folder"):
            open_picture(tmp_path)
        with pytest.raises(PictureUnreadable, match="does not exist"):
            open_picture(tmp_path / "gone.jpg")

    def test_include_a_device_that_never_ends(self):
        with pytest.raises(PictureUnreadable, match="is no file"):
            open_picture(Path("/dev/zero"))

    def test_include_a_file_that_grows_after_it_was_measured(
        self, tmp_path, monkeypatch
    ):
        """As it would be one that says it has nothing, in /proc."""
        path = tmp_path / "grows.jpg"
        path.write_bytes(b"\xff\xd8" + bytes(1000))
        monkeypatch.setattr(files, "_MOST_BYTES", 1000)
        found = path.stat()
        small = os.stat_result([*found[:6], 0, *found[7:]])
        monkeypatch.setattr(Path, "stat", lambda *_, **__: small)

        with pytest.raises(PictureUnreadable, match="more than 80 MB"):
            open_picture(path)

    def test_can_be_caught_as_the_eye_s_own_or_as_built_in_errors(self):
        assert issubclass(PictureUnreadable, VisionError)
        assert issubclass(PictureUnreadable, OSError)
        assert issubclass(PictureUnreadable, ValueError)


def opened_from_a_file(content):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.png"
        path.write_bytes(content)
        return open_picture(path)


class TestMemory:
    """What a small file may take once it is opened."""

    @pytest.mark.parametrize(
        ("kind", "depth", "opens"),
        [
            (2, 8, True),  # 25 million x 3 = 75 MB
            (2, 16, True),  # 150 MB
            (6, 8, True),  # 100 MB
            (6, 16, True),  # 200 MB
            (6, 16, False),  # one row more
        ],
    )
    def test_more_than_200_mb_are_refused_unopened(
        self, tmp_path, monkeypatch, kind, depth, opens
    ):
        monkeypatch.setattr(files, "_decode", lambda content, half: PICTURE)
        head = bytearray(_png_header(5_000, 5_000 if opens else 5_001))
        head[24], head[25] = depth, kind
        path = tmp_path / "a.png"
        path.write_bytes(bytes(head) + _png_header(1, 1)[8:] + _coded(".png")[-12:])

        if opens:
            assert open_picture(path).picture is PICTURE
        else:
            with pytest.raises(PictureUnreadable, match="8 bits a colour"):
                open_picture(path)

    @pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
    def test_a_transparent_one_takes_a_band_more_than_it_is_before_and_after(
        self, dtype
    ):
        picture = np.full((2_000, 1_000, 4), 128, dtype)
        tracemalloc.start()
        files._on_white(picture)
        _, most_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        # 6 MB for all rows in three colours; of one band, some copies of 1.5 MB.
        assert most_bytes < 16_000_000

    def test_bands_come_to_the_same_as_the_whole(self, monkeypatch):
        rng = np.random.default_rng(1)
        picture = rng.integers(0, 256, (70, 30, 4)).astype(np.uint8)
        whole = files._band_on_white(picture)
        monkeypatch.setattr(files, "_BAND_ROWS", 16)

        assert np.array_equal(files._on_white(picture), whole)

    @pytest.mark.parametrize("opens", [files.decode_png, opened_from_a_file])
    def test_a_chunk_that_says_it_has_more_than_the_file_is_not_made_room_for(
        self, opens
    ):
        whole = _coded(".png")
        at = whole.index(b"IDAT") - 4
        # 256 MB.
        huge = whole[:at] + b"\x10" + whole[at + 1 :]
        before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        with pytest.raises(PictureUnreadable):
            opens(huge)

        grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb
        assert grown_kb < 50_000
