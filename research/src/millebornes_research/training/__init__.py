"""Train nets, which improve by playing against themselves."""
