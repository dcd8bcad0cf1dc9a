/** A real MCP server over stdio for `toolcrib demo`: notes, kept as long as it runs. */
import { z } from 'zod';
import { serveTools, tool } from './index.ts';

interface Note {
  title: string;
  text: string;
  tags: string[];
}

const notes = new Map<string, Note>();
const title = z.string().min(1).describe('Title of the note; there is one note of each title.');

serveTools('notes', [
  tool({
    name: 'write_note',
    description: 'Write a note, or replace the one that has this title.',
    input: z.object({
      title,
      text: z.string().describe('What the note says.'),
      tags: z.array(z.string()).optional().describe('Words to find it by.'),
    }),
    run: (note) => {
      notes.set(note.title, { ...note, tags: note.tags ?? [] });
      return `Kept "${note.title}".`;
    },
  }),
  tool({
    name: 'read_note',
    description: 'Read one note in full.',
    input: z.object({ title }),
    readOnly: true,
    run: (asked) => noteOf(asked.title).text,
  }),
  tool({
    name: 'find_notes',
    description: 'List titles of notes that contain a word or carry a tag.',
    input: z.object({ word: z.string().describe('Part of a title, text or tag; case does not matter.') }),
    readOnly: true,
    run: ({ word }) => {
      const found = [...notes.values()].filter((note) => contains(note, word.toLowerCase()));
      return found.length === 0 ? 'No note fits.' : found.map((note) => note.title).join('\n');
    },
  }),
  tool({
    name: 'delete_note',
    description: 'Delete a note for good.',
    input: z.object({ title }),
    run: (asked) => {
      notes.delete(noteOf(asked.title).title);
      return `Deleted "${asked.title}".`;
    },
  }),
]);

function noteOf(wanted: string): Note {
  const note = notes.get(wanted);
  if (note === undefined) throw new Error(`There is no note "${wanted}".`);
  return note;
}

function contains(note: Note, word: string): boolean {
  return [note.title, note.text, ...note.tags].some((text) => text.toLowerCase().includes(word));
}
