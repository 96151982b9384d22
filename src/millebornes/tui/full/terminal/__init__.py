"""Between Textual and the terminal: the driver, what a terminal sends, what it can show, and signals."""
