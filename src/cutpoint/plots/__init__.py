"""Every figure, and the only room that imports matplotlib; imports statistics, base."""
