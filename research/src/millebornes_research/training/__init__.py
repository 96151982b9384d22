"""Training: nets that improve by playing against themselves."""
