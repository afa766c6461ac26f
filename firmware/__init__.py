"""The device: buttons, lamps, sound and the small display, each with a stand-in."""
