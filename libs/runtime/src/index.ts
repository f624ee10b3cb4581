export { deadlineIn, type Deadline } from './deadline.ts';
