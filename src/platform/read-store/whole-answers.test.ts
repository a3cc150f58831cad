import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { elasticStatus, isReadStoreDown, openReadStore } from './elastic.ts';

/** A read store in which this many of two shards answer. */
const startWith = async (successful: number) => {
  const _shards = { total: 2, successful, skipped: 0, failed: 0 };
  const answer = { _shards, count: 3, hits: { hits: [] } };
  const server: Server = createServer((request, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/vnd.elasticsearch+json;compatible-with=9',
      'X-Elastic-Product': 'Elasticsearch',
    });
    response.end(JSON.stringify(request.url?.includes('_msearch') ? { responses: [answer] } : answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const { client } = openReadStore(`http://127.0.0.1:${port}`, 'test-');
  return {
    client,
    async stop() {
      await client.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};

describe('an answer that is put together from shards', () => {
  it('passes where all of them answered', async () => {
    const { client, stop } = await startWith(2);
    expect((await client.count({ index: 'one' })).count).toBe(3);
    expect((await client.search({ index: 'one' })).hits.hits).toEqual([]);
    expect((await client.search({ index: 'one' }, { meta: true })).body.hits.hits).toEqual([]);
    await stop();
  });

  it('is no answer where one is missing, as if the store were down', async () => {
    const { client, stop } = await startWith(1);
    const asked = [
      () => client.count({ index: 'one' }),
      () => client.search({ index: 'one' }),
      () => client.search({ index: 'one' }, { meta: true }),
      () => client.msearch({ searches: [{}, {}] }),
    ];
    for (const ask of asked) {
      const error: unknown = await ask().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(elasticStatus(error)).toBe(503);
      expect(isReadStoreDown(error)).toBe(true);
    }
    // A refresh also counts replicas that were never created.
    await expect(client.indices.refresh({ index: 'one' })).resolves.toBeDefined();
    await stop();
  });
});
