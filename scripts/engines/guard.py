"""Runs a command that dies with the Node.js process that asked for it, even when that one is killed with -9.

usage: guard.py PARENT_PID command [argument ...]; standard input is a pipe that the parent holds open.

The guard becomes the command (exec), so the pid that the parent knows is the server's own. SIGKILL is good enough
for an orphan: each of the servers keeps what it acknowledged when it is killed.
"""
import os
import signal
import sys


def killed_by_kernel(parent):
    import ctypes

    pr_set_pdeathsig = 1
    if ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL) != 0:
        raise OSError("prctl failed")
    if os.getppid() != parent:  # it died before the call above
        sys.exit(1)


def killed_by_watcher():
    """Where the kernel has no parent-death signal: a child waits for the end of the pipe and kills the server."""
    import select

    server = os.getpid()
    if os.fork() != 0:
        return
    while os.getppid() == server:  # otherwise the server has ended by itself
        if select.select([0], [], [], 1)[0] and not os.read(0, 1) and os.getppid() == server:
            os.kill(server, signal.SIGKILL)
            break
    os._exit(0)


try:
    if sys.platform != "linux":
        raise ImportError("no prctl")
    killed_by_kernel(int(sys.argv[1]))
except (ImportError, OSError):
    killed_by_watcher()
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.execvp(sys.argv[2], sys.argv[2:])
