/** The one person who owns every Page. */
export const person = { id: '10150000000000001', name: 'Demo Person' };
