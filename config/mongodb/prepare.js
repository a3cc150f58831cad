// Health check of docker-compose.yml's MongoDB. Its first run makes the replica set and the users; mongosh may do so
// from inside the container for as long as there is no user.
const { MONGODB_ROOT_PASSWORD: rootPassword, MONGODB_PASSWORD: password } = process.env;
const admin = db.getSiblingDB('admin');

const waitForPrimary = () => {
  for (let i = 0; i < 50 && !admin.hello().isWritablePrimary; i++) sleep(100);
  return admin.hello().isWritablePrimary;
};

const logIn = () => {
  try {
    return Boolean(admin.auth('root', rootPassword));
  } catch {
    return false;
  }
};

const isPrepared = () => logIn() && admin.getUser('portico') !== null;

const prepare = () => {
  try {
    rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] });
  } catch {
    // There is one: of a volume that was made before there were passwords, or of a first look that was cut off.
  }
  if (!waitForPrimary()) return;
  if (!logIn()) {
    admin.createUser({ user: 'root', pwd: rootPassword, roles: ['root'] });
    logIn();
  }
  if (admin.getUser('portico') === null)
    admin.createUser({ user: 'portico', pwd: password, roles: [{ role: 'dbOwner', db: 'portico' }] });
};

if (!isPrepared()) prepare();
quit(waitForPrimary() && isPrepared() ? 0 : 1);
