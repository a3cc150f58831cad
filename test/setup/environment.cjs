const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');

/**
 * Compiles modules as scripts: V8 keeps those, so the next test file of a worker does not compile them again. Functions
 * that it compiles for jest are compiled anew for each file, which takes as long as to run most files.
 */
vm.compileFunction = (code, parameters, { filename, parsingContext }) =>
  new vm.Script(`(function (${parameters.join(', ')}) {${code}\n})`, { filename }).runInContext(
    parsingContext,
  );

/**
 * Environment of Node.js in a context of its own whose globals are plain properties. Behind the proxy that jest puts
 * before them each `Buffer`, `Map` or `Promise` costs more than most functions that use it.
 */
module.exports = class PlainGlobals extends TestEnvironment {
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
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: this.global });
  }
};
