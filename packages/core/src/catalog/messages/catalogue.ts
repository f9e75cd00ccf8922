import { capabilityMessages, viewMessages } from "./capability-messages.ts";
import { domainMessages, fileMessages } from "./domain-messages.ts";
import { catalogInputMessages, catalogValueMessages } from "./value-messages.ts";
import { mappingMessages, responseMessages, viewTemplateMessages } from "./mapping-messages.ts";
import type { MessageParams } from "./message.ts";

/** Every code of the catalog formats with its severity and texts. */
export const catalogMessages = {
  ...fileMessages,
  ...domainMessages,
  ...catalogValueMessages,
  ...capabilityMessages,
  ...catalogInputMessages,
  ...viewMessages,
  ...viewTemplateMessages,
  ...mappingMessages,
  ...responseMessages,
} as const;

export type CatalogCode = keyof typeof catalogMessages;

/** The variants of a code's text. */
export type MessageVariant<C extends CatalogCode> = keyof (typeof catalogMessages)[C]["texts"];

/** What a text of a code must be given. */
export type ParamsOf<
  C extends CatalogCode,
  V extends MessageVariant<C>,
> = (typeof catalogMessages)[C]["texts"][V] extends infer T extends string
  ? MessageParams<T>
  : never;
