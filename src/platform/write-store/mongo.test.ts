import { openWriteStore } from './mongo.ts';

describe('the address of MongoDB', () => {
  it('has the last word about the pool and the times to wait', () => {
    const { options } = openWriteStore('mongodb://a,b/?MaxPoolSize=7&waitQueueTimeoutMS=60000', 'd').client;
    expect([options.maxPoolSize, options.waitQueueTimeoutMS]).toEqual([7, 60_000]);
    expect([options.serverSelectionTimeoutMS, options.connectTimeoutMS]).toEqual([3_000, 10_000]);
  });

  it('cannot take away that a majority has what is answered', () => {
    const { options } = openWriteStore('mongodb://a/?w=1', 'd').client;
    expect([options.maxPoolSize, options.writeConcern?.w]).toEqual([50, 'majority']);
  });
});
