const SECRET = 'a secret of the tests that is long enough to be one';

/** The settings without a default, with values that lead to no server. */
export const REQUIRED_SETTINGS = {
  MONGODB_URI: 'mongodb://127.0.0.1:1/',
  ELASTICSEARCH_NODE: 'http://127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  JWT_SECRET: SECRET,
  SECRETS_KEY: SECRET,
  KEY_PEPPER: SECRET,
};
