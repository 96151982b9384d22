"""What the screens are made of: the parts of the table, and how they are drawn."""
