import { describeAdministration } from './panel/administration.ts';
import { describeCheckout } from './panel/checkout.ts';
import { describeDailyWork } from './panel/daily-work.ts';
import { describeFaults } from './panel/faults.ts';
import { describeFigures } from './panel/figures.ts';
import { describeMarketplaceDay } from './panel/marketplace-day.ts';
import { describePayments } from './panel/payments.ts';
import { describeReviews } from './panel/reviews.ts';
import { describeScreens } from './panel/screens.ts';
import { describeSessions } from './panel/sessions.ts';
import { usePanel } from './panel/setting.ts';
import { describeSubscriptions } from './panel/subscriptions.ts';
import { describeWaitingWork } from './panel/waiting-work.ts';

// One gateway and one browser serve all of it: each start takes seconds.
// Jest runs tests beside each other only within one block, so all but the last ones stand in none.
const panel = usePanel();
describeSessions(panel);
describeScreens(panel);
describeMarketplaceDay(panel);
describeFaults(panel);
describeAdministration(panel);
describeFigures(panel);
describeDailyWork(panel);
describePayments(panel);
describeReviews(panel);
describeSubscriptions(panel);
describeCheckout(panel);
describeWaitingWork(panel);
