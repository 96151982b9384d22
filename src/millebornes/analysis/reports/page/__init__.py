"""The parts of a review as a web page: drawings, boards, plots, the style sheet and the script."""
