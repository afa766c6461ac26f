"""The 40-pin header of a Raspberry Pi: which pin is what."""

# Source: Raspberry Pi documentation, "GPIO and the 40-pin header"; the same on every
# board since the Model B+. GPIO0 and 1 (header 27 and 28) are a HAT's and not listed.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18,
    10: 19, 9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35,
    16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""Header pin of each GPIO."""

GROUNDS = frozenset({6, 9, 14, 20, 25, 30, 34, 39})

THREE_VOLTS, FIVE_VOLTS = frozenset({1, 17}), frozenset({2, 4})
"""Header pins with 3.3 V and with 5 V."""

SERIAL = frozenset({14, 15})
"""GPIOs of the serial console, which is off in Raspberry Pi OS unless asked for."""

BUSES = frozenset({2, 3, 7, 8, 9, 10, 11}) | SERIAL
"""GPIOs of I2C, SPI and the serial console: display and strip use some, and the knob
those of the console."""
