import { apiError, isPassing } from '../api.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';

const messageOf = (told: ReturnType<typeof apiError>): string => {
  if (told === null) return t('Something went wrong in this window');
  return told.statusCode === 0 ? t('The gateway did not answer') : told.message;
};

/** Tells of a failure: the message, its code and the request that support can look for. */
export const Problem = (props: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Said about a failure that passes, instead of that. */
  readonly advice?: string | false;
}) => {
  const { error, onRetry, advice } = props;
  const told = apiError(error);
  const facts = [told?.code, told?.requestId].filter(Boolean);
  return (
    <div className="problem" role="alert">
      <p>
        <strong>{messageOf(told)}</strong>
      </p>
      {isPassing(error) && <p>{advice || t('It may pass by itself: your data is safe.')}</p>}
      {facts.length > 0 && <p className="facts">{facts.join(' · ')}</p>}
      {onRetry && <Button label={t('Try again')} onClick={onRetry} />}
    </div>
  );
};
