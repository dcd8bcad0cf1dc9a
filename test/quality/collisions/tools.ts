import type { JsonObject } from '../../../src/model/index.ts';
import { object, parameter } from '../definitions.ts';

function tool(
  name: string,
  description: string,
  properties: Record<string, string> = {},
  required: string[] = [],
): JsonObject {
  const schemas = Object.entries(properties).map(([key, about]) => [key, parameter('string', about)]);
  return { name, description, inputSchema: object(Object.fromEntries(schemas), required) };
}

const path = { path: 'Where it lies.' };
const ticket = { project: 'Key of the project.', title: 'One line.', text: 'Markdown.' };

/** Six made-up servers: two that keep files, two trackers, a browser and a shop. */
export const servers: Record<string, JsonObject[]> = {
  disk: [
    tool('read_file', 'Reads a file and gives its text.', path, ['path']),
    tool('write_file', 'Writes text to a file; what was there is lost.', { ...path, text: 'What to write.' }, [
      'path',
      'text',
    ]),
    tool('delete_file', 'Deletes a file for good.', path, ['path']),
    tool('list_folder', 'Names of what is in a folder.', path, ['path']),
    tool('move_file', 'Moves or renames a file.', { from: 'Where it is.', to: 'Where it goes.' }, ['from', 'to']),
    tool('search_files', 'Files whose text has a word.', { word: 'What to look for.' }, ['word']),
  ],
  vault: [
    tool('get_file', 'Text of a file in the vault.', path, ['path']),
    tool('remove_file', 'Takes a file out of the vault for good.', path, ['path']),
    tool('list_folder', 'What is in a folder of the vault.', path, ['path']),
    tool('find_files', 'Finds files of the vault by a word in their text.', { word: 'What to look for.' }, ['word']),
    tool('share_folder', 'Lets another person see a folder.', { ...path, person: 'Who.' }, ['path', 'person']),
    tool('unshare_folder', 'Takes the right to see a folder from a person.', { ...path, person: 'Who.' }, [
      'path',
      'person',
    ]),
  ],
  tracker: [
    tool('create_ticket', 'Opens a ticket in a project.', ticket, ['project', 'title']),
    tool('update_ticket', 'Changes title, text or state of a ticket.', { id: 'Which ticket.', ...ticket }, ['id']),
    tool('close_ticket', 'Ends the work on a ticket.', { id: 'Which ticket.' }, ['id']),
    tool('list_tickets', 'All tickets of a project, newest first.', { project: 'Key of the project.' }, ['project']),
    tool('search_tickets', 'Tickets that fit a query.', { query: 'Words, or state:open.' }, ['query']),
    tool('add_ticket_comment', 'Writes a comment below a ticket.', { id: 'Which ticket.', text: 'Markdown.' }, [
      'id',
      'text',
    ]),
    tool('get_user', 'Name and e-mail of a member.', { id: 'Which member.' }, ['id']),
  ],
  helpdesk: [
    tool('createTicket', 'Opens a ticket for a customer.', { customer: 'Who asked.', title: 'One line.' }, [
      'customer',
      'title',
    ]),
    tool('listTickets', 'Tickets of a customer.', { customer: 'Who asked.' }, ['customer']),
    tool('replyToTicket', 'Sends an answer to the customer.', { id: 'Which ticket.', text: 'The answer.' }, [
      'id',
      'text',
    ]),
    tool(
      'replyToTicketInternally',
      'Sends an answer to colleagues alone.',
      { id: 'Which ticket.', text: 'The answer.' },
      ['id', 'text'],
    ),
    tool('enableAutoReply', 'Switches automatic answers on.', { queue: 'Which queue.' }, ['queue']),
    tool('disableAutoReply', 'Switches automatic answers off.', { queue: 'Which queue.' }, ['queue']),
    tool('getCustomer', 'Name and plan of a customer.', { id: 'Which customer.' }, ['id']),
  ],
  browser: [
    tool('page_open', 'Opens an address in a new tab.', { url: 'The address.' }, ['url']),
    tool('page_click', 'Clicks an element.', { target: 'CSS selector.' }, ['target']),
    tool('page_fill', 'Types text into a field.', { target: 'CSS selector.', text: 'What to type.' }, [
      'target',
      'text',
    ]),
    tool('page_screenshot', 'Takes a picture of the page.', {}),
  ],
  robot: [
    tool('click', 'Clicks an element of the page.', { target: 'CSS selector.' }, ['target']),
    tool('take_screenshot', 'Takes a picture of the page.', {}),
    tool('fill', 'Types text into a field of the page.', { target: 'CSS selector.', text: 'What to type.' }, [
      'target',
      'text',
    ]),
  ],
  shop: [
    tool('sync_orders_with_invoices', 'Brings orders and invoices into line.', { day: 'Which day.' }, ['day']),
    tool('sync_invoices_with_orders', 'Brings invoices and orders into line.', { day: 'Which day.' }, ['day']),
    tool('create_order', 'Places an order for a customer.', { customer: 'Who buys.', article: 'What.' }, [
      'customer',
      'article',
    ]),
    tool('cancel_order', 'Ends an order that was not sent yet.', { id: 'Which order.' }, ['id']),
    tool('create_refund', 'Pays an order back.', { id: 'Which order.' }, ['id']),
    tool('get_customer_orders', 'What a customer ordered.', { customer: 'Who bought.' }, ['customer']),
  ],
};

/** Pairs as a person judges them: would a model that reads names and first sentences take one for the other? */
export const judged: Record<'close' | 'apart', [string, string][]> = {
  close: [
    ['disk__read_file', 'vault__get_file'],
    ['disk__delete_file', 'vault__remove_file'],
    ['disk__list_folder', 'vault__list_folder'],
    ['disk__search_files', 'vault__find_files'],
    ['tracker__create_ticket', 'helpdesk__createTicket'],
    ['tracker__list_tickets', 'helpdesk__listTickets'],
    ['tracker__list_tickets', 'tracker__search_tickets'],
    ['tracker__search_tickets', 'helpdesk__listTickets'],
    ['browser__page_click', 'robot__click'],
    ['browser__page_fill', 'robot__fill'],
    ['browser__page_screenshot', 'robot__take_screenshot'],
    ['shop__sync_orders_with_invoices', 'shop__sync_invoices_with_orders'],
  ],
  apart: [
    ['disk__read_file', 'disk__write_file'],
    ['disk__read_file', 'disk__delete_file'],
    ['disk__write_file', 'disk__delete_file'],
    ['disk__move_file', 'vault__get_file'],
    ['disk__list_folder', 'disk__search_files'],
    ['vault__share_folder', 'vault__unshare_folder'],
    ['vault__share_folder', 'vault__list_folder'],
    ['tracker__create_ticket', 'tracker__update_ticket'],
    ['tracker__create_ticket', 'tracker__close_ticket'],
    ['tracker__update_ticket', 'tracker__close_ticket'],
    ['tracker__create_ticket', 'tracker__add_ticket_comment'],
    ['tracker__list_tickets', 'tracker__close_ticket'],
    ['tracker__get_user', 'helpdesk__getCustomer'],
    ['helpdesk__enableAutoReply', 'helpdesk__disableAutoReply'],
    ['helpdesk__createTicket', 'helpdesk__replyToTicket'],
    ['browser__page_open', 'browser__page_click'],
    ['browser__page_click', 'browser__page_fill'],
    ['shop__create_order', 'shop__cancel_order'],
    ['shop__create_order', 'shop__create_refund'],
    ['shop__create_order', 'tracker__create_ticket'],
    ['shop__get_customer_orders', 'helpdesk__getCustomer'],
  ],
};
