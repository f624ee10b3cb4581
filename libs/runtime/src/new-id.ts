import { v5, v7, validate } from 'uuid';

/** A new id: UUID v7, so that ids sort by the time they were made. */
export const newId = (): string => v7();

/** The same id for the same name within an operation: a repeat of the operation makes no second resource. */
export const derivedId = (operationId: string, name: string): string => v5(name, operationId);

export const isUuid = (text: string): boolean => validate(text);
