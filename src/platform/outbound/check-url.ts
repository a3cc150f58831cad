import { invalidInput } from '../../kernel/errors.ts';
import { type GuardRules, urlFault } from './guarded-post.ts';

/** Refuses with 400 a URL that nothing would ever be posted to; `path` names its field. */
export type CheckUrl = (path: string, url: string | null | undefined) => void;

export const createCheckUrl =
  (rules: GuardRules): CheckUrl =>
  (path, url) => {
    const fault = url === null || url === undefined ? null : urlFault(url, rules);
    if (fault !== null) throw invalidInput([{ path, message: `${path} ${fault}` }]);
  };
