const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

// What memory is left after this signal is in use.
process.on('SIGUSR2', () => collect());
