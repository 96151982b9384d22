"""The code between Textual and the terminal: the driver, the input, the characters and the signals."""
