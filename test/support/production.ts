/** Settings with which production starts on the servers of the tests, behind a proxy on this machine. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  TRUSTED_PROXIES: '127.0.0.1',
  PUBLIC_URL: 'https://pay.example.test',
  ALLOW_PLAIN_STORES: 'true',
  JWT_SECRET: 'Yq0wY0bJZ6m3v9Tt1cXo5hQe8Rn2KdLs',
  SECRETS_KEY: 'pV7fGk2uN4zS1xBi9mCa6wJy3EoTq5Hd',
  KEY_PEPPER: 'e4Ql8Zr1Wn6Xs3Kb9Tc0Yv5Mg2Hj7PfU',
  BOOTSTRAP_OPERATOR_EMAIL: 'first@operators.test',
  BOOTSTRAP_OPERATOR_PASSWORD: 'a password of the tests',
};
