import type { ClientOptions } from '@modelcontextprotocol/client';

/**
 * The SDK's check of results against `outputSchema`, turned off: results pass as they are, and the router checks
 * them. It also keeps the SDK from loading its own JSON Schema compiler for every server.
 */
export const noOutputValidation: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input as never, errorMessage: undefined }),
};
