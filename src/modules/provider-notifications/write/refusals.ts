import { refusal } from '../../../kernel/errors.ts';

export const notificationNotKept = refusal(
  422,
  'PROVIDER_NOTIFICATION_NOT_KEPT',
  'The content of this notification was not kept',
);
