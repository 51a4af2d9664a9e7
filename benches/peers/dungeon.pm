// `dungeon` for Storm and PRISM: one room of ROWS x COLS tiles, with the player in its first corner, the exit in the
// last, and two ghosts with the strategy `chase`. They move in reading order of their tiles, at turn 1 and then at turn 2 (b) or
// 3 (a). `storm.py` replaces TELEPORT with a branch for each tile.
mdp

const int ROWS;
const int COLS;
const int RADIUS;

formula out = pr=ROWS-1 & pc=COLS-1;
formula caught = (pr=ar & pc=ac) | (pr=br & pc=bc);
formula over = caught | out;
formula a_first = ar*COLS+ac < br*COLS+bc;
formula a_moves = !over & ((turn=1 & a_first) | turn=3);
formula b_moves = !over & ((turn=1 & !a_first) | turn=2);

// The distance of each neighbouring tile from a wall; 99 for the exit and the other ghost.
formula a_up = (ar-1=br & ac=bc) | (ar-1=ROWS-1 & ac=COLS-1) ? 99 : min(ar, ROWS+1-ar, ac+1, COLS-ac);
formula a_down = (ar+1=br & ac=bc) | (ar+1=ROWS-1 & ac=COLS-1) ? 99 : min(ar+2, ROWS-1-ar, ac+1, COLS-ac);
formula a_left = (ar=br & ac-1=bc) ? 99 : min(ar+1, ROWS-ar, ac, COLS+1-ac);
formula a_right = (ar=br & ac+1=bc) | (ar=ROWS-1 & ac+1=COLS-1) ? 99 : min(ar+1, ROWS-ar, ac+2, COLS-1-ac);
formula b_up = (br-1=ar & bc=ac) | (br-1=ROWS-1 & bc=COLS-1) ? 99 : min(br, ROWS+1-br, bc+1, COLS-bc);
formula b_down = (br+1=ar & bc=ac) | (br+1=ROWS-1 & bc=COLS-1) ? 99 : min(br+2, ROWS-1-br, bc+1, COLS-bc);
formula b_left = (br=ar & bc-1=ac) ? 99 : min(br+1, ROWS-br, bc, COLS+1-bc);
formula b_right = (br=ar & bc+1=ac) | (br=ROWS-1 & bc+1=COLS-1) ? 99 : min(br+1, ROWS-br, bc+2, COLS-1-bc);

formula a_near = max(pr-ar,ar-pr) + max(pc-ac,ac-pc) <= RADIUS;
formula b_near = max(pr-br,br-pr) + max(pc-bc,bc-pc) <= RADIUS;
formula a_least = min(a_up, a_down, a_left, a_right);
formula b_least = min(b_up, b_down, b_left, b_right);
formula a_teleports = !a_near & a_least=0;
formula b_teleports = !b_near & b_least=0;

// The permitted directions: closer to the player, or closest to a wall.
formula a_goes_up = a_near ? (pr<ar & a_up<99) : (a_up=a_least & a_up<99);
formula a_goes_down = a_near ? (pr>ar & a_down<99) : (a_down=a_least & a_down<99);
formula a_goes_left = a_near ? (pc<ac & a_left<99) : (a_left=a_least & a_left<99);
formula a_goes_right = a_near ? (pc>ac & a_right<99) : (a_right=a_least & a_right<99);
formula b_goes_up = b_near ? (pr<br & b_up<99) : (b_up=b_least & b_up<99);
formula b_goes_down = b_near ? (pr>br & b_down<99) : (b_down=b_least & b_down<99);
formula b_goes_left = b_near ? (pc<bc & b_left<99) : (b_left=b_least & b_left<99);
formula b_goes_right = b_near ? (pc>bc & b_right<99) : (b_right=b_least & b_right<99);
formula a_ways = (a_goes_up?1:0) + (a_goes_down?1:0) + (a_goes_left?1:0) + (a_goes_right?1:0);
formula b_ways = (b_goes_up?1:0) + (b_goes_down?1:0) + (b_goes_left?1:0) + (b_goes_right?1:0);

module level
  turn : [0..3] init 0;
  pr : [0..ROWS-1] init 0;
  pc : [0..COLS-1] init 0;
  ar : [0..ROWS-1] init ROWS-1;
  ac : [0..COLS-1] init floor(COLS/2);
  br : [0..ROWS-1] init 0;
  bc : [0..COLS-1] init COLS-1;

  [] turn=0 & !over -> (turn'=1);
  [] turn=0 & !over & pr>0 -> (turn'=1) & (pr'=pr-1);
  [] turn=0 & !over & pr<ROWS-1 -> (turn'=1) & (pr'=pr+1);
  [] turn=0 & !over & pc>0 -> (turn'=1) & (pc'=pc-1);
  [] turn=0 & !over & pc<COLS-1 -> (turn'=1) & (pc'=pc+1);

  [] a_moves & !a_teleports & a_ways=0 -> (turn'=turn=1?2:0);
  [] a_moves & !a_teleports & a_ways>0 -> (a_goes_up?1/a_ways:0) : (turn'=turn=1?2:0) & (ar'=max(ar-1,0))
    + (a_goes_down?1/a_ways:0) : (turn'=turn=1?2:0) & (ar'=min(ar+1,ROWS-1))
    + (a_goes_left?1/a_ways:0) : (turn'=turn=1?2:0) & (ac'=max(ac-1,0))
    + (a_goes_right?1/a_ways:0) : (turn'=turn=1?2:0) & (ac'=min(ac+1,COLS-1));
  [] b_moves & !b_teleports & b_ways=0 -> (turn'=turn=1?3:0);
  [] b_moves & !b_teleports & b_ways>0 -> (b_goes_up?1/b_ways:0) : (turn'=turn=1?3:0) & (br'=max(br-1,0))
    + (b_goes_down?1/b_ways:0) : (turn'=turn=1?3:0) & (br'=min(br+1,ROWS-1))
    + (b_goes_left?1/b_ways:0) : (turn'=turn=1?3:0) & (bc'=max(bc-1,0))
    + (b_goes_right?1/b_ways:0) : (turn'=turn=1?3:0) & (bc'=min(bc+1,COLS-1));

  // It appears on any tile without an actor or the exit; its own is free.
  [] a_moves & a_teleports -> TELEPORT_A;
  [] b_moves & b_teleports -> TELEPORT_B;
  [] over -> true;
endmodule

label "out" = out & !caught;
