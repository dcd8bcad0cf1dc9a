/** A real MCP server over stdio for `toolcrib demo`: a list of things to do, kept as long as it runs. */
import { z } from 'zod';
import { serveTools, tool } from './index.ts';

interface Task {
  id: number;
  title: string;
  /** ISO 8601. */
  dueDate?: string;
  isDone: boolean;
}

const tasks: Task[] = [];
const id = z.int().min(1).describe('Number of the task, as list_tasks shows it.');
const dueDate = z.iso.date().describe('Day by which it has to be done, as 2026-01-31.');

serveTools('tasks', [
  tool({
    name: 'create_task',
    description: 'Add something to do.',
    input: z.object({ title: z.string().min(1).describe('What is to be done.'), dueDate: dueDate.optional() }),
    run: (task) => {
      tasks.push({
        id: tasks.length + 1,
        title: task.title,
        isDone: false,
        ...(task.dueDate && { dueDate: task.dueDate }),
      });
      return `Task ${tasks.length}: ${task.title}`;
    },
  }),
  tool({
    name: 'list_tasks',
    description: 'List what is still to be done, the most urgent first.',
    input: z.object({ includeDone: z.boolean().optional().describe('Also what is done; default false.') }),
    readOnly: true,
    run: ({ includeDone = false }) => {
      const shown = tasks.filter((task) => includeDone || !task.isDone).sort(byDueDate);
      return shown.length === 0 ? 'Nothing to do.' : shown.map(inWords).join('\n');
    },
  }),
  tool({
    name: 'complete_task',
    description: 'Mark a task as done.',
    input: z.object({ id }),
    run: (asked) => {
      taskOf(asked.id).isDone = true;
      return `Task ${asked.id} is done.`;
    },
  }),
  tool({
    name: 'set_due_date',
    description: 'Move the day by which a task has to be done.',
    input: z.object({ id, dueDate }),
    run: (asked) => {
      taskOf(asked.id).dueDate = asked.dueDate;
      return `Task ${asked.id} is due on ${asked.dueDate}.`;
    },
  }),
]);

function taskOf(wanted: number): Task {
  const task = tasks[wanted - 1];
  if (task === undefined) throw new Error(`There is no task ${wanted}.`);
  return task;
}

/** Tasks without a day come last. */
function byDueDate(one: Task, other: Task): number {
  return (one.dueDate ?? noDay).localeCompare(other.dueDate ?? noDay);
}

const noDay = '9999-12-31';

function inWords({ id: number, title, dueDate: due, isDone }: Task): string {
  return `${number}. ${title}${due === undefined ? '' : ` (due ${due})`}${isDone ? ', done' : ''}`;
}
