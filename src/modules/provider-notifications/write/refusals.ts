import { refusal } from '../../../kernel/errors.ts';

export const notificationNotKept = refusal(
  'PROVIDER_NOTIFICATION_NOT_KEPT',
  'The content of this notification was not kept',
);
