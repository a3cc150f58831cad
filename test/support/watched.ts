import { appendFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { mayAskAll } from './asking-all.ts';
import { listenToStatements } from './statements.ts';
import { listenToTransactions } from './tenants.ts';

/**
 * Loaded before a program of the tests by all of its processes. It notes statements that a gateway of the tests must
 * not send in the file `WATCH_INTO`, each at once, because the program may be killed.
 */
const told = new Set<string>();
const note = (line: string): void => {
  if (told.has(line)) return;
  told.add(line);
  appendFileSync(process.env.WATCH_INTO ?? '', `${line}\n`);
};

const listened = new WeakSet<MongoClient>();
const { connect } = MongoClient.prototype;
MongoClient.prototype.connect = function (this: MongoClient) {
  if (!listened.has(this)) {
    listened.add(this);
    Object.assign(this.options, { monitorCommands: true });
    listenToStatements(this, (statement) => {
      if (!mayAskAll(statement)) note(`names no tenant: ${statement}`);
    });
    listenToTransactions(this, (tenants) => note(`spans tenants: ${tenants}`));
  }
  return connect.call(this);
};
