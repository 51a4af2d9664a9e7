#!/bin/sh
# Gradescope runs this once, when it builds the container.
cd "$(dirname "$0")" && chmod +x getaway run_autograder
command -v python3 >/dev/null || { apt-get update && apt-get install -y python3; }
