"""What the course is made with: recordings, checks, stages, documents."""
