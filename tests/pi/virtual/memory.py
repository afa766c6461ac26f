"""Buffers and modes for the virtual camera; imports libcamera, so only where it is."""

import mmap
import os

import libcamera
from picamera2.allocators import Allocator

SUCCESS = libcamera.FrameMetadata.Status.Success


class Mapped:
    """All planes of one buffer in memory; they share a file."""

    def __init__(self, _allocator, buffer, _write=False):
        self._buffer = buffer

    def __enter__(self):
        planes = self._buffer.planes
        self._memory = mmap.mmap(planes[0].fd, sum(plane.length for plane in planes))
        return self._memory

    def __exit__(self, *_error):
        # Arrays may still look into it; it is unmapped when the last one goes.
        self._memory = None


class InMemory(Allocator):
    """Gives NV12 buffers in memory files: the virtual camera needs two planes."""

    needs_sync = True

    def __init__(self):
        super().__init__()
        self.sync = Mapped
        self._files, self._buffers = [], {}

    def allocate(self, configuration, _use_case=None):
        self.close()
        for stream in configuration:
            light = stream.stride * stream.size.height
            files = [os.memfd_create("frame") for _ in range(stream.buffer_count)]
            for file in files:
                os.ftruncate(file, light * 3 // 2)
            self._files += files
            self._buffers[stream.stream] = [_buffer(file, light) for file in files]

    def buffers(self, stream):
        return self._buffers[stream]

    def close(self):
        for file in self._files:
            os.close(file)
        self._files, self._buffers = [], {}


def modes_without_raw(camera):
    """Return what the sensor offers; the virtual one has no raw stream to ask."""
    roles = libcamera.StreamRole.Raw, libcamera.StreamRole.Viewfinder
    asked = (camera.camera.generate_configuration([role]) for role in roles)
    formats = next(one for one in asked if one).at(0).formats
    return [
        {"format": str(pixels), "size": (size.width, size.height)}
        for pixels in formats.pixel_formats
        for size in formats.sizes(pixels)
    ]


def _buffer(file, light):
    planes = [_plane(file, 0, light), _plane(file, light, light // 2)]
    spoilt = []
    while True:
        made = libcamera.FrameBuffer(planes)
        # libcamera 0.4 leaves the state of a new buffer to chance, and Picamera2 waits
        # for ever on one that seems to have failed.
        if made.metadata.status == SUCCESS:
            return made
        spoilt.append(made)


def _plane(file, offset, length):
    made = libcamera.FrameBuffer.Plane()
    made.fd, made.offset, made.length = file, offset, length
    return made
