"""Other programs as players, and our players for other hosts, both through lines of JSON."""
