import cv2
import numpy as np
import pytest

from vision.camera.port import CameraMissing, FolderCamera


def _fill(folder, *names):
    for index, name in enumerate(names):
        picture = np.full((40, 60, 3), 40 + 40 * index, np.uint8)
        assert cv2.imwrite(str(folder / name), picture)


class TestAFolderOfPictures:
    def test_is_read_in_name_order_and_then_is_exhausted(self, tmp_path):
        _fill(tmp_path, "b.png", "a.png")

        camera = FolderCamera(tmp_path)
        frames = [camera.read(), camera.read()]

        assert [(f.name, f.position) for f in frames] == [("a.png", 0), ("b.png", 1)]
        assert camera.exhausted
        assert camera.read() is None

    def test_goes_on_where_it_was_after_a_restart(self, tmp_path):
        _fill(tmp_path, "a.png", "b.png", "c.png")

        first = FolderCamera(tmp_path)
        first.read()
        second = FolderCamera(tmp_path, position=first.position)

        assert second.read().name == "b.png"

    def test_gives_the_time_of_its_clock(self, tmp_path):
        _fill(tmp_path, "a.png")

        assert FolderCamera(tmp_path, clock=lambda: 12.5).read().taken_at == 12.5

    def test_gives_a_frame_with_trouble_for_a_broken_file_and_goes_on(self, tmp_path):
        _fill(tmp_path, "b.png")
        (tmp_path / "a.jpg").write_text("no picture")

        camera = FolderCamera(tmp_path)
        broken, whole = camera.read(), camera.read()

        assert broken.picture is None
        assert "a.jpg" in broken.trouble
        assert whole.trouble is None

    def test_skips_files_that_are_no_pictures_by_name(self, tmp_path):
        _fill(tmp_path, "a.png")
        (tmp_path / "notes.txt").write_text("first throw")
        (tmp_path / ".hidden.png").write_text("")

        camera = FolderCamera(tmp_path)
        camera.read()

        assert camera.exhausted

    def test_must_exist_and_hold_pictures(self, tmp_path):
        with pytest.raises(CameraMissing, match="no folder"):
            FolderCamera(tmp_path / "nowhere")
        with pytest.raises(CameraMissing, match="no pictures"):
            FolderCamera(tmp_path)
