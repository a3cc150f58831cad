const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

// Memory that is left after this signal is really in use.
process.on('SIGUSR2', () => collect());
