"""Fetches jars with jgo and checks them. usage: fetch_jars.py JARS_SHA256 TARGET_DIR (lines: sha256 group:artifact:version)

jgo's command line resolves the whole dependency tree again, one POM after the other (25 s); the list is complete and
pinned, so the jars alone are fetched, several at a time (5 s).
"""
import hashlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

from jgo.maven import MavenContext, PythonResolver


WAITS = (1, 3, 9)


def download(context, group, artifact, version):
    """Tries again after some seconds: one download of many that is cut off shall not end the installation."""
    for wait in (*WAITS, None):
        try:
            return context.project(group, artifact).at_version(version).artifact().resolve()
        except Exception:  # whatever jgo makes of it
            if wait is None:
                raise
            sleep(wait)


def fetch(context, target, line):
    sha256, coordinate = line.split()
    group, artifact, version = coordinate.split(":")
    content = download(context, group, artifact, version).read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise SystemExit(f"{coordinate} is not the expected file: its SHA-256 differs from jars.sha256")
    (target / f"{artifact}-{version}.jar").write_bytes(content)


def main(list_file, target):
    target.mkdir(parents=True, exist_ok=True)
    cache = Path(tempfile.mkdtemp(dir=target.parent))
    context = MavenContext(repo_cache=cache, local_repos=[], resolver=PythonResolver(), timeout=60)
    with ThreadPoolExecutor(6) as pool:
        for _ in pool.map(lambda line: fetch(context, target, line), list_file.read_text().splitlines()):
            pass
    shutil.rmtree(cache)


main(Path(sys.argv[1]), Path(sys.argv[2]))
