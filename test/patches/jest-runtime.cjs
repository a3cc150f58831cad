const Runtime = require('jest-runtime').default;

/** The runtimes of shared modules, which are never torn down: one for each project and run, as resolvers are. */
const modulesOf = new WeakMap();

/**
 * Runtime of one test file. It loads the file and what belongs to jest; all other modules it shares with the files
 * before it, so that a worker loads and compiles them once. Tests therefore replace no modules, and what they change
 * in the state of one they set back.
 */
class SharedModules extends Runtime {
  constructor(...args) {
    super(...args);
    const [, , resolver] = args;
    if (!modulesOf.has(resolver)) modulesOf.set(resolver, new Runtime(...args));
    this.modules = modulesOf.get(resolver);
    // One map for the lines of both in stack traces.
    this.transformCache.sourceMaps = this.modules.transformCache.sourceMaps;
  }

  requireModuleOrMock(from, moduleName) {
    return this.modules.requireModuleOrMock(from, moduleName);
  }

  setMock() {
    throw new Error('jest.mock() has no effect here: test files share their modules. Pass a fake in.');
  }
}

module.exports = { __esModule: true, default: SharedModules };
