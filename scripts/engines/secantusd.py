"""Runs SecantusDB for one user, who gets the password of a file before the server listens.

usage: secantusd.py SERVERS PASSWORD_FILE TRANSACTION_SECONDS [argument ...]; SERVERS is the folder of the installed
packages. A transaction that is idle for longer is rolled back, as with MongoDB's transactionLifetimeLimitSeconds.

Its own way is a first start without `--auth`, to create a user: the data would be open meanwhile, and a crash between
the two would lock everybody out. Set at each start, the password fits, whatever the data directory is from.
"""
import sys
from pathlib import Path

servers, password_file, transaction_seconds = sys.argv[1:4]
sys.path.insert(0, servers)

from secantus import auth, cli, server  # noqa: E402

USER = "portico"


class Transactions(server.TransactionRegistry):
    def abort_for_session(self, session):
        """Forgets a session that has ended: each statement looks at the last transaction of all that are kept."""
        super().abort_for_session(session)
        with self._lock:
            self._txns.pop(session, None)


class Server(cli.SecantusDBServer):
    def __init__(self, **options):
        super().__init__(transaction_lifetime_seconds=float(transaction_seconds), **options)

    def start(self):
        credentials = auth.derive_credentials(Path(password_file).read_text())
        user = {
            "_id": f"admin.{USER}",
            "user": USER,
            "db": "admin",
            "credentials": credentials.to_doc(),
            "roles": [{"role": "root", "db": "admin"}],
            "mechanisms": [auth.SCRAM_SHA_256],
        }
        self.storage.add_user("admin", USER, user, replace=True)
        super().start()


server.TransactionRegistry = Transactions
cli.SecantusDBServer = Server
sys.exit(cli.main(["--auth", *sys.argv[4:]]))
