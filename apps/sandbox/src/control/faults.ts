import { Router } from 'express';
import type { Context } from '../context.ts';
import { faultRequest, type FaultRequest } from '../faults/fault.ts';
import { simulated } from '../simulated.ts';
import { checked, ControlError } from './control-error.ts';

export function faultRoutes({ faults }: Context): Router {
  const router = Router();
  const found = (id: string, done: boolean) => {
    if (!done) throw new ControlError(404, `There is no fault ${id}`);
  };

  router.get('/operations', (_request, response) => {
    response.json(Object.fromEntries(Object.values(simulated).map((platform) => [platform.name, namesOf(platform.name)])));
  });
  router.post('/faults', (request, response) => {
    const wanted = checked(faultRequest, request.body);
    checkCall(wanted);
    response.status(201).json(faults.add(wanted));
  });
  router.get('/faults', (_request, response) => void response.json({ items: faults.list() }));
  router.get('/faults/:id', (request, response) => {
    found(request.params.id, faults.get(request.params.id) !== null);
    response.json(faults.get(request.params.id));
  });
  router.delete('/faults', (_request, response) => {
    faults.clear();
    response.json({ status: 'deleted' });
  });
  router.delete('/faults/:id', (request, response) => {
    found(request.params.id, faults.remove(request.params.id));
    response.json({ status: 'deleted' });
  });
  router.post('/faults/:id/release', (request, response) => {
    found(request.params.id, faults.release(request.params.id));
    response.json(faults.get(request.params.id));
  });
  return router;
}

const namesOf = (platform: FaultRequest['platform']) => [...new Set(simulated[platform].operations.map((operation) => operation.name))];

/** A fault that can never fire would leave its author waiting. */
function checkCall({ platform, call, fault }: FaultRequest): void {
  if (typeof call !== 'string') return;
  if (!namesOf(platform).includes(call))
    throw new ControlError(400, `call: ${platform} has no operation ${call}. Operations: ${namesOf(platform).join(', ')}`);
  const processes = simulated[platform].operations.some((operation) => operation.name === call && operation.processes);
  if ((fault.type === 'slow_processing' || fault.type === 'processing_error') && !processes) {
    throw new ControlError(400, `fault.type: ${call} starts no background processing`);
  }
}
