import { parseArgs } from 'node:util';
import { startEngines } from './engines.ts';
import { installEngines } from './install.ts';

/** `cli.ts install`, or `cli.ts start [--data-dir DIR]`, which prints the addresses and runs until it is stopped. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'data-dir': { type: 'string', default: '.data' } },
  });
  const progress = (line: string) => console.error(line);
  if (positionals[0] === 'install') {
    await installEngines({ progress });
  } else if (positionals[0] === 'start') {
    const onExit = (name: string, code: unknown) => progress(`${name} has ended (${code})`);
    const engines = await startEngines({ dataDir: values['data-dir'], progress, onExit });
    const stopped = new Promise((done) => process.once('SIGTERM', done).once('SIGINT', done));
    console.log(`MONGODB_URI='${engines.mongodbUri}'`);
    console.log(`ELASTICSEARCH_NODE='${engines.elasticsearchNode}'`);
    console.log(`REDIS_URL='${engines.redisUrl}'`);
    await stopped;
    await engines.stop();
  } else {
    throw new Error('usage: cli.ts install | start [--data-dir DIR]');
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
