import { describeCarefulWork } from './panel/careful-work.ts';
import { describeClicks } from './panel/clicks.ts';
import { describeEnvironment } from './panel/environment.ts';
import { describeLogs } from './panel/logs.ts';
import { describeNotes } from './panel/notes.ts';
import { describeOverview } from './panel/overview.ts';
import { describePhoneAndPaper } from './panel/phone-and-paper.ts';
import { describeSelections } from './panel/selections.ts';
import { usePanel } from './panel/setting.ts';

// A gateway and a browser of their own, beside those of the other screens.
const panel = usePanel();
describeLogs(panel);
describeNotes(panel);
describeOverview(panel);
describeSelections(panel);
describePhoneAndPaper(panel);
describeCarefulWork(panel);
describeEnvironment(panel);
describeClicks(panel);
