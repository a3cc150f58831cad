import { MongoServerError } from 'mongodb';
import { mayRunAgain } from './failures.ts';

/** An error answer in the form of DocumentDB on PostgreSQL. */
const answered = (errmsg: string, code = 1): MongoServerError =>
  new MongoServerError({ ok: 0, errmsg, message: errmsg, code });

describe('a command that lost a race', () => {
  it.each([
    answered('could not serialize access due to concurrent update'),
    answered('could not serialize access due to concurrent delete'),
    answered('could not serialize access due to read/write dependencies among transactions'),
    answered('deadlock detected'),
    answered('error in the backend, SQLSTATE 40001'),
    answered('Write conflict', 112),
  ])('runs again: %s', (error) => {
    expect(mayRunAgain(error)).toBe(true);
  });

  it.each([
    answered('internal server error'),
    answered('could not serialize the document'),
    answered('value 1400012 is out of range'),
    new Error('could not serialize access due to concurrent update'),
  ])('does not where the error is another one: %s', (error) => {
    expect(mayRunAgain(error)).toBe(false);
  });
});
