"""Many games at once: measuring players and the package itself."""
