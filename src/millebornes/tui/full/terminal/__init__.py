"""The code between Textual and the terminal: the driver, input from the terminal, its characters, and signals."""
