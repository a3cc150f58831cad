import { loadConfig } from '../src/main/config.ts';
import { createContainer } from '../src/main/container.ts';
import { createDocument } from '../src/main/document.ts';
import * as platform from '../src/platform/platform.module.ts';

const NOT_USED = 'http://127.0.0.1:1';
const SECRET = 'a secret that signs nothing because no route is called';

/** The OpenAPI document of this version. Describing routes needs no store, so it connects to none. */
export const openApiDocument = (): object => {
  const container = createContainer(
    loadConfig({
      NODE_ENV: 'test',
      MONGODB_URI: 'mongodb://127.0.0.1:1/',
      ELASTICSEARCH_NODE: NOT_USED,
      REDIS_URL: NOT_USED.replace('http', 'redis'),
      JWT_SECRET: SECRET,
      SECRETS_KEY: SECRET,
      KEY_PEPPER: SECRET,
    }),
  );
  container.get(platform.services).redis.disconnect();
  return createDocument(container.getAll(platform.routes).flat(), null);
};
