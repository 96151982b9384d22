"""Learning to play: nets that get better by playing themselves."""
