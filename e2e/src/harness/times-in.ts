/** How often a text holds another. */
export const timesIn = (text: string, part: string): number => text.split(part).length - 1;
