"""The tables that a server runs: live tables, who may take a seat, and the work and the limits behind them."""
