"""The parts of a review's web page: drawings of cards, boards, plots, the style sheet and the script."""
