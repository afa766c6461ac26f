"""The doctor says the truth about picamera2: lying there is not loading."""

import importlib
import sys
from types import SimpleNamespace

import pytest

from companion.doctor.checks import examine_camera
from firmware.finding import Level
from vision.camera.library import LibraryMissing, load_picamera2

IMX708 = {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}
C270 = {"Model": "C270", "Id": "/base/scb/pcie/pci@0,0/usb@0,0-1.3:1.0-046d:0825"}

OTHER_NUMPY = (
    "numpy.dtype size changed, may indicate binary incompatibility. "
    "Expected 96 from C header, got 88 from PyObject"
)


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return a way to install a picamera2 whose module holds some lines."""

    def one(text):
        package = tmp_path / "site" / "picamera2"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(text)
        monkeypatch.syspath_prepend(str(package.parent))
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, "picamera2", raising=False)
        return lambda: load_picamera2(apt=tmp_path / "none")

    yield one
    sys.modules.pop("picamera2", None)


def finds(*cameras):
    info = SimpleNamespace(global_camera_info=lambda: list(cameras))
    return lambda: SimpleNamespace(Picamera2=info)


@pytest.mark.parametrize(
    ("module", "evidence", "remedy"),
    [
        (f"raise ValueError({OTHER_NUMPY!r})", "numpy.dtype size changed",
         'pip install --upgrade "simplejpeg>=1.8"'),
        ("import libcamera_of_nobody", "libcamera_of_nobody is not there",
         "--system-site-packages"),
        ("raise ImportError('libcamera.so.0.5: cannot open shared object file')",
         "libcamera.so.0.5: cannot open", "--system-site-packages"),
        ("raise AttributeError('no Orientation')", "no Orientation", "--reinstall"),
        ("raise OSError()", "OSError", "--reinstall"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("numbers", [(), ("0",)])
def test_one_that_does_not_load_is_never_ok(
    installed, module, evidence, remedy, numbers
):
    found = examine_camera(installed(module), lambda: numbers)

    assert found.level is (Level.WARN if numbers else Level.FAIL)
    assert evidence in found.evidence
    assert remedy in found.remedy
    assert ("video0" in found.evidence) == bool(numbers)


def test_one_that_apt_brought_and_the_venv_does_not_see_is_told(tmp_path):
    def load(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    found = examine_camera(lambda: load_picamera2(load, tmp_path), lambda: ())

    assert found.level is Level.FAIL
    assert "does not see it" in found.evidence
    assert "--system-site-packages" in found.remedy


def test_where_it_was_never_installed_a_webcam_is_all_that_is_needed(tmp_path):
    def load(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    def without():
        return load_picamera2(load, tmp_path / "none")

    assert examine_camera(without, lambda: ("0",)).level is Level.OK
    assert examine_camera(without, lambda: ()).level is Level.WARN


def test_one_that_loads_is_ok_only_with_a_camera():
    found = examine_camera(finds(IMX708, C270), lambda: ())
    assert (found.level, found.evidence) == (
        Level.OK, "picamera2 finds imx708; use --camera pi.",
    )  # fmt: skip

    found = examine_camera(finds(), lambda: ())
    assert found.level is Level.WARN
    assert "ribbon cable" in found.remedy


def test_a_webcam_that_libcamera_knows_is_no_camera_module():
    found = examine_camera(finds(C270), lambda: ("0",))

    assert (found.level, found.evidence) == (Level.OK, "Webcams: video0.")


def test_one_that_cannot_even_list_cameras_is_told():
    def breaks():
        raise RuntimeError("no camera manager")

    library = SimpleNamespace(Picamera2=SimpleNamespace(global_camera_info=breaks))

    found = examine_camera(lambda: library, lambda: ())

    assert found.level is Level.FAIL
    assert "no camera manager" in found.evidence


def test_what_a_start_is_told_is_one_line_with_the_remedy(installed):
    with pytest.raises(LibraryMissing) as told:
        installed(f"raise ValueError({OTHER_NUMPY!r})")()

    assert "\n" not in str(told.value)
    assert "simplejpeg" in str(told.value)
