/** Makes sure that answers are right before they are counted. */
import sharp from 'sharp';
import { render } from '../processes/render.mjs';
import { fetchAnswer } from './client.mjs';
import { BenchFailure } from './failure.mjs';

const gridSide = 8;
/** How far the cells of the grid may be off on average, of 255; the next tile is off by ten times as much. */
const tolerance = 3;
const infoObjectMembers = 31;

/** A decoded picture: its size, and its mean colors in a grid, as sRGB. */
async function factsOf(bytes) {
  const { format, width, height } = await sharp(bytes).metadata();
  const grid = await sharp(bytes).resize(gridSide, gridSide, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  return { format, width, height, grid };
}

const meanDifference = (one, other) => one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;

/** What is wrong with a picture; a peer may be off by a pixel in size, as those that round down are. */
async function faultOf(body, call, sizeTolerance) {
  const [found, expected] = [await factsOf(body), await factsOf(await render(call))];
  if (found.format !== 'jpeg') return `${found.format} instead of jpeg`;
  const off = Math.max(Math.abs(found.width - call.width), Math.abs(found.height - call.height));
  if (off > sizeTolerance) return `${found.width} x ${found.height} instead of ${call.width} x ${call.height}`;
  const difference = meanDifference(found.grid, expected.grid);
  return difference > tolerance ? `its colors are off by ${difference.toFixed(1)} of 255 on average` : undefined;
}

function faultOfInfo(body, { width, height }) {
  const document = JSON.parse(body.toString('utf8'));
  return document.width === width && document.height === height ? undefined : 'another size is described';
}

/** Shape and values of the info object; its address has to be the one that was asked for. */
function faultOfInfoObject(body, address, width) {
  const members = Object.entries(JSON.parse(body.toString('utf8')));
  if (members.length !== infoObjectMembers) return `${members.length} members`;
  if (members.some(([, value]) => typeof value !== 'string')) return 'a member is no string';
  const values = new Map(members);
  if (values.get('base.url') !== address) return 'base.url is another address';
  return values.get('img.pix_x') === String(width) ? undefined : `img.pix_x is ${values.get('img.pix_x')}`;
}

function faultIn(side, request, body) {
  if (request.sharp) return faultOf(body, request.sharp, side.name === 'Lectern' ? 0 : 1);
  if (request.size) return faultOfInfo(body, request.size);
  return faultOfInfoObject(body, `http://127.0.0.1:${side.port}${request.lectern}`, request.width);
}

/** Asks a side and compares the answer with what it has to be. Throws BenchFailure with what is wrong. */
export async function requireRight(side, request) {
  const address = side.pathOf(request);
  const { status, body } = await fetchAnswer(side.port, address);
  const fault = status === 200 ? await faultIn(side, request, body) : `status ${status}`;
  if (fault !== undefined) throw new BenchFailure(`The answer of ${side.name} to ${address} is wrong: ${fault}.`);
}
