"""Lets the real Picamera2 open libcamera's virtual camera, where there is one.

Three things of a Pi are missing there, and nothing else is replaced: the preview window
and raw files, the sensor's raw stream, and memory that is shared with the graphics.
"""

import gc
import importlib.util
import sys
import warnings
from unittest import mock

import pytest

# The module of `picamera2` that its class lives in has the same name as the package.
CORE = "picamera2.picamera2"


def pytest_collection_modifyitems(items):
    here = importlib.util.find_spec("libcamera") is not None
    skip = pytest.mark.skip("no libcamera here; run tests/pi/make_root.sh and run.sh")
    for item in items:
        if "pi/virtual" not in str(item.path):
            continue
        # Picamera2 uses old calls and leaves files to the collector.
        item.add_marker(pytest.mark.filterwarnings("default"))
        if not here:
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def _what_picamera2_leaves_open():
    """Collect its files here, so that no later test is blamed for one of them."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def _stand_in_for_missing_modules():
    for name in ("pykms", "pidng", "pidng.camdefs", "pidng.core"):
        try:
            missing = importlib.util.find_spec(name) is None
        except ModuleNotFoundError:
            missing = True
        if missing:
            sys.modules[name] = mock.MagicMock(name=name)


@pytest.fixture(scope="session")
def picamera2():
    """Return the real library, able to open the virtual camera."""
    _stand_in_for_missing_modules()
    library = importlib.import_module("picamera2")
    memory = importlib.import_module("tests.pi.virtual.memory")
    sys.modules[CORE].DmaAllocator = memory.InMemory
    library.Picamera2._get_raw_modes = memory.modes_without_raw
    return library
