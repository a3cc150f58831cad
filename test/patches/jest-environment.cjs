const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');

/**
 * Compiles modules as scripts, because V8 caches those, but not the functions that jest compiles for each test file.
 */
vm.compileFunction = (code, parameters, { filename, parsingContext }) =>
  new vm.Script(`(function (${parameters.join(', ')}) {${code}\n})`, { filename }).runInContext(
    parsingContext,
  );

/** Storages in use. Jest makes one for each test file, and every later promise of the worker would be given its context. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

/** Settings and listeners of jest that hold for one test file: it keeps them in the context. */
const OF_ONE_FILE = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES'].map((name) => Symbol.for(name));

/**
 * Environment of Node.js in a context whose globals are plain properties. Behind jest's proxy each `Buffer`, `Map` or
 * `Promise` costs more than most functions that use it. All test files of a worker share the context, because they
 * share modules (jest-runtime.cjs).
 */
class PlainGlobals extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const behindProxy = this.global;
    this.context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
    this.global = vm.runInContext('globalThis', this.context);
    const own = new Set(Reflect.ownKeys(this.global));
    for (const key of Reflect.ownKeys(behindProxy))
      if (!own.has(key))
        Object.defineProperty(this.global, key, Object.getOwnPropertyDescriptor(behindProxy, key));
    Object.assign(this.global, { global: this.global, Buffer, ArrayBuffer, Uint8Array });
    this.global.Error.stackTraceLimit = 100;
    this.moduleMocker = new ModuleMocker(this.global);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: this.global });
    this.exit = this.global.process.exit;
    this.variables = { ...this.global.process.env };
  }

  /** Leaves the context to the next test file as this one found it. */
  async teardown() {
    const { process } = this.global;
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const key of OF_ONE_FILE) delete this.global[key];
    for (const storage of storages) storage.disable();
    storages.clear();
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
  }
}

let shared = null;

module.exports = class {
  constructor(config, context) {
    shared ??= new PlainGlobals(config, context);
    // biome-ignore lint/correctness/noConstructorReturn: jest makes an environment for each file, and gets the same one
    return shared;
  }
};
