"""Public checks of bptt_grad. The cases come first, then recorded answers, then the comparisons."""
import dataclasses
from collections.abc import Mapping
import numpy as np
import difflib
from otter.test_files import test_case

def public__small_network():
    return {"W_aa": np.array([[0.5, -1.0], [0.75, 0.25]]), "W_ax": np.array([[1.0, 0.0, -0.5], [0.5, -1.0, 0.25]]),
            "b_a": np.array([0.1, -0.2]), "W_ya": np.array([[1.5, -0.5]]), "b_y": np.array([0.25])}


@test_case(name='stage2_bptt/bptt_grad/one_step', hidden=False)
def one_step(env):
    ask = Ask(env, 'stage2_bptt/bptt_grad/one_step', SETTING)
    ask.agrees(np.array([[1.0, -1.0, 0.5]]), np.array([[0.5]]), np.array([0.2, -0.4]), public__small_network())


@test_case(name='stage2_bptt/bptt_grad/three_steps', hidden=False)
def three_steps(env):
    ask = Ask(env, 'stage2_bptt/bptt_grad/three_steps', SETTING)
    xs = np.array([[1.0, -1.0, 0.5], [0.0, 0.5, 0.25], [-0.5, 0.25, 1.0]])
    ask.agrees(xs, np.array([[0.5], [-1.0], [1.0]]), np.array([0.2, -0.4]), public__small_network())


@test_case(name='stage2_bptt/bptt_grad/types_and_shapes', hidden=False, success_message='public checks passed; 5 hidden checks run at grading')
def types_and_shapes(env):
    ask = Ask(env, 'stage2_bptt/bptt_grad/types_and_shapes', SETTING)
    xs = np.array([[0.5, -0.25, 1.0], [1.0, 0.5, -0.5]])
    ask.has_types_and_shapes(xs, np.array([[0.25], [1.0]]), np.array([-0.3, 0.6]), public__small_network())


ANSWERS = {
    'stage2_bptt/bptt_grad/one_step': [(0.186548363756, {'W_aa': np.array([[0.0432514572862, -0.0865029145725], [-0.0115475559555, 0.0230951119111]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.216257286431, -0.216257286431, 0.108128643216], [-0.0577377797777, 0.0577377797777, -0.0288688898889]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.216257286431, -0.0577377797777], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.533886120638, 0.550056685194]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.610816443388], dtype='<f8').reshape((1,))})],
    'stage2_bptt/bptt_grad/three_steps': [(1.82791130025, {'W_aa': np.array([[0.888710361623, 0.261657708419], [0.150034462293, 0.624904133899]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.677452554617, -0.217496003546, -0.26337409454], [-0.419882726611, 0.527959723843, 0.582017182414]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.387069442381, 0.869609518186], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))})],
    'stage2_bptt/bptt_grad/types_and_shapes': [(0.647321741267, {'W_aa': np.array([[0.0914292747166, -0.447540014164], [0.0386147992632, 0.00892228219625]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.134556962984, 0.444796452639, -1.21290885384], [-0.0701599584699, -0.087799358969, 0.16687842857]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.646631897116, -0.0174405787359], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))})],
}

HINTS = {
    'stage2_bptt/bptt_grad/three_steps': [('A unit sent its value along several weights on the way forward. Along which weights does blame come back to it, a row of them or a column?', [(None, (1.82791130025, {'W_aa': np.array([[0.225803338517, -0.389529402503], [-0.712708548927, -0.295000830532]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.624985081126, -0.53824005929, -0.476213595903], [-0.368681602627, -0.0226292796419, 0.357923804656]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.411821089578, -0.0779651168317], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('The same matrix is at work in every step. How do all those contributions become one gradient?', [(None, (1.82791130025, {'W_aa': np.array([[0.0749757002045, -0.149951400409], [-0.0303096328056, 0.0606192656112]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.374878501023, -0.374878501023, 0.187439250511], [-0.151548164028, 0.151548164028, -0.0757740820139]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.374878501023, -0.151548164028], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.533886120638, 0.550056685194]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.610816443388], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('One of your five arrays is treated differently from the others in the loop. Compare the lines.', [(None, (1.82791130025, {'W_aa': np.array([[0.888710361623, 0.261657708419], [0.150034462293, 0.624904133899]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.677452554617, -0.217496003546, -0.26337409454], [-0.419882726611, 0.527959723843, 0.582017182414]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.387069442381, 0.869609518186], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.610816443388], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('A state influences the loss through two routes. Name both, then look for them in your loop.', [(None, (1.82791130025, {'W_aa': np.array([[0.787569319856, 0.253586870572], [-0.440650430573, -0.0405261724521]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.518831340025, -0.0985844953376, -0.362539555027], [-0.326072342361, 0.0855167229306, 0.454606066208]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.149028815024, 0.266154669111], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('The loss is a sum over all steps. At which steps of the sweep does a new error join in?', [(None, (1.82791130025, {'W_aa': np.array([[0.370125194143, -0.125923952583], [0.369910322295, 0.748719857904]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.435378848581, -0.244382115402, -0.518890856503], [-0.250394194025, 0.464859529396, 0.719955617777]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.392923899436, 1.25187472705], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Follow the sweep from its very beginning. Where does the first number that is not zero come from?', [(None, (1.82791130025, {'W_aa': np.array([[0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.0, 0.0], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Was the state in your list stored before the squashing or after it? What does that mean for the slope?', [(None, (1.82791130025, {'W_aa': np.array([[1.13917592059, -0.370483690476], [0.718111366265, 1.28621571581]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[1.66975467074, -1.14554493763, -0.722401265888], [-0.49749266543, 0.935952151347, 0.807518005657]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.0717981837773, 1.59693117246], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('To reach the previous state, a gradient passes everything that stands between the two states. Did you leave one function out on the way?', [(None, (1.82791130025, {'W_aa': np.array([[0.423867353098, -0.404193177095], [1.93403139659, 2.33301982602]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.985886098338, -0.827129556791, -0.259757327441], [-0.205520817024, 1.30960376522, 1.18720111269]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.0931029670567, 3.07598332969], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('What did the recurrent matrix multiply in the very first step?', [(None, (1.82791130025, {'W_aa': np.array([[0.813734661419, 0.411609108828], [0.180344095098, 0.564284868288]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.677452554617, -0.217496003546, -0.26337409454], [-0.419882726611, 0.527959723843, 0.582017182414]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.387069442381, 0.869609518186], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ("A weight's gradient contains what the weight was applied to. Which state did the recurrent matrix see at this step?", [(None, (1.82791130025, {'W_aa': np.array([[0.57904013605, 0.861918089866], [-0.822899760463, -0.355355958698]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.677452554617, -0.217496003546, -0.26337409454], [-0.419882726611, 0.527959723843, 0.582017182414]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.387069442381, 0.869609518186], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Nudge one weight and see how your own loss moves. Do your gradients predict that movement?', [(None, (0.60930376675, {'W_aa': np.array([[0.888710361623, 0.261657708419], [0.150034462293, 0.624904133899]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.677452554617, -0.217496003546, -0.26337409454], [-0.419882726611, 0.527959723843, 0.582017182414]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.387069442381, 0.869609518186], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.86934613664, 1.75114524576]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.692710905257], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Read the formula of the loss in the docstring once more. Does a sequence that is twice as long weigh more?', [(None, (0.60930376675, {'W_aa': np.array([[0.296236787208, 0.0872192361396], [0.0500114874308, 0.208301377966]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.225817518206, -0.0724986678488, -0.0877913648468], [-0.13996090887, 0.175986574614, 0.194005727471]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.12902314746, 0.289869839395], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.62311537888, 0.583715081919]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.230903635086], dtype='<f8').reshape((1,))}), (False, False, False, False))])],
    'stage2_bptt/bptt_grad/types_and_shapes': [('A unit sent its value along several weights on the way forward. Along which weights does blame come back to it, a row of them or a column?', [(None, (0.647321741267, {'W_aa': np.array([[0.0480004527745, -0.360682370279], [-0.120821219309, 0.327794319341]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.0621755930807, 0.408605767688, -1.06814611403], [0.195566739151, -0.22066270778, 0.698331823812]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.501869157309, 0.514012816506], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('The same matrix is at work in every step. How do all those contributions become one gradient?', [(None, (0.647321741267, {'W_aa': np.array([[0.307244960479, -0.614489920958], [-0.0316316278404, 0.0632632556809]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.512074934132, 0.256037467066, -1.02414986826], [0.052719379734, -0.026359689867, 0.105438759468]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-1.02414986826, 0.105438759468], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.616614731507, -0.476998562868]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-1.07862012715], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('One of your five arrays is treated differently from the others in the loop. Compare the lines.', [(None, (0.647321741267, {'W_aa': np.array([[0.0914292747166, -0.447540014164], [0.0386147992632, 0.00892228219625]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.134556962984, 0.444796452639, -1.21290885384], [-0.0701599584699, -0.087799358969, 0.16687842857]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.646631897116, -0.0174405787359], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-1.07862012715], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('A state influences the loss through two routes. Name both, then look for them in your loop.', [(None, (0.647321741267, {'W_aa': np.array([[0.110938316264, -0.486558097258], [-0.0599051053254, 0.205962091373]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.167072032229, 0.461053987262, -1.27793899233], [0.0940398825111, -0.16989927946, 0.495278110532]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.711662035606, 0.310959103226], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('The loss is a sum over all steps. At which steps of the sweep does a new error join in?', [(None, (0.647321741267, {'W_aa': np.array([[-0.235324727309, 0.205967989888], [0.168766331692, -0.251380782662]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.410033040393, 0.172501450951, -0.123728847083], [-0.287079179185, 0.0206602513885, -0.26696001286]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.442548109638, -0.451279020166], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Follow the sweep from its very beginning. Where does the first number that is not zero come from?', [(None, (0.647321741267, {'W_aa': np.array([[0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.0, 0.0], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Was the state in your list stored before the squashing or after it? What does that mean for the slope?', [(None, (0.647321741267, {'W_aa': np.array([[0.100952961734, -0.486721042868], [0.0515199522729, -0.00949862474164]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.149073859382, 0.480771745332, -1.31373475787], [-0.0921661911576, -0.08733582065, 0.149214908257]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.704382534405, -0.0509134660864], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('To reach the previous state, a gradient passes everything that stands between the two states. Did you leave one function out on the way?', [(None, (0.647321741267, {'W_aa': np.array([[0.0835038887315, -0.431689242194], [0.0821535256703, -0.078155170618]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.121347986342, 0.438191964319, -1.18649090055], [-0.142724502482, -0.0515170869631, 0.0217493405463]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.620213943832, -0.16256966676], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('What did the recurrent matrix multiply in the very first step?', [(None, (0.647321741267, {'W_aa': np.array([[-0.215815685762, 0.166949906794], [0.0702464271036, -0.0543409734846]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.134556962984, 0.444796452639, -1.21290885384], [-0.0701599584699, -0.087799358969, 0.16687842857]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.646631897116, -0.0174405787359], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ("A weight's gradient contains what the weight was applied to. Which state did the recurrent matrix see at this step?", [(None, (0.647321741267, {'W_aa': np.array([[0.79404443873, -0.666989649505], [-0.128163764244, 0.116309527774]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.134556962984, 0.444796452639, -1.21290885384], [-0.0701599584699, -0.087799358969, 0.16687842857]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.646631897116, -0.0174405787359], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Nudge one weight and see how your own loss moves. Do your gradients predict that movement?', [(None, (0.323660870634, {'W_aa': np.array([[0.0914292747166, -0.447540014164], [0.0386147992632, 0.00892228219625]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.134556962984, 0.444796452639, -1.21290885384], [-0.0701599584699, -0.087799358969, 0.16687842857]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.646631897116, -0.0174405787359], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.7163742109], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Read the formula of the loss in the docstring once more. Does a sequence that is twice as long weigh more?', [(None, (0.323660870634, {'W_aa': np.array([[0.0457146373583, -0.223770007082], [0.0193073996316, 0.00446114109812]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.0672784814921, 0.22239822632, -0.606454426918], [-0.035079979235, -0.0438996794845, 0.083439214285]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.323315948558, -0.00872028936794], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.408373021201, -0.341208856119]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.35818710545], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Print the shape of every parameter next to the shape of its gradient. Could you subtract one from the other?', [(None, (0.647321741267, {'W_aa': np.array([[0.0914292747166, -0.447540014164], [0.0386147992632, 0.00892228219625]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.134556962984, 0.444796452639, -1.21290885384], [-0.0701599584699, -0.087799358969, 0.16687842857]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([[-0.646631897116], [-0.0174405787359]], dtype='<f8').reshape((2, 1)), 'W_ya': np.array([[0.816746042402, -0.682417712239]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([[-0.7163742109]], dtype='<f8').reshape((1, 1))}), (False, False, False, False))])],
    'stage2_bptt/bptt_grad/one_step': [('Follow the sweep from its very beginning. Where does the first number that is not zero come from?', [(None, (0.186548363756, {'W_aa': np.array([[0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.0, 0.0], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.533886120638, 0.550056685194]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.610816443388], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Was the state in your list stored before the squashing or after it? What does that mean for the slope?', [(None, (0.186548363756, {'W_aa': np.array([[0.0925734227864, -0.185146845573], [-0.0297192641791, 0.0594385283581]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.462867113932, -0.462867113932, 0.231433556966], [-0.148596320895, 0.148596320895, -0.0742981604477]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.462867113932, -0.148596320895], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.533886120638, 0.550056685194]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.610816443388], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('What did the recurrent matrix multiply in the very first step?', [(None, (0.186548363756, {'W_aa': np.array([[0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.216257286431, -0.216257286431, 0.108128643216], [-0.0577377797777, 0.0577377797777, -0.0288688898889]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.216257286431, -0.0577377797777], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.533886120638, 0.550056685194]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.610816443388], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ("A weight's gradient contains what the weight was applied to. Which state did the recurrent matrix see at this step?", [(None, (0.186548363756, {'W_aa': np.array([[0.189020392234, 0.194745520379], [-0.05046589625, -0.0519944282752]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.216257286431, -0.216257286431, 0.108128643216], [-0.0577377797777, 0.0577377797777, -0.0288688898889]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.216257286431, -0.0577377797777], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.533886120638, 0.550056685194]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.610816443388], dtype='<f8').reshape((1,))}), (False, False, False, False))])],
}

class Mismatch(Exception):
    """The first difference found by :func:`compare`: a text key and its fields."""

    def __init__(self, key, /, **fields):
        super().__init__(key)
        self.key = key
        self.fields = fields


class Opaque:
    """A value that is not plain data (a matrix, a masked or object array, any other object), by its type's name."""

    def __init__(self, type_name):
        self.type_name = type_name


def plain(value):
    """Reduce a value to numbers, strings, None, base arrays, lists, tuples and dicts; the rest becomes Opaque."""
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return value
    if type(value) is np.ndarray:
        return value if value.dtype.kind in "biufc" else Opaque(f"numpy array of dtype {value.dtype}")
    if isinstance(value, np.ndarray):
        return Opaque(f"{type(value).__module__}.{type(value).__qualname__}")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(plain(getattr(value, field.name)) for field in dataclasses.fields(value))
    # A value that crossed the border as its type's name stands for that type, not for itself.
    return Opaque(getattr(value, "type_name", None) or type(value).__qualname__)


def copied(value):
    """Copy arrays, lists, tuples and dicts all the way down; functions and scalars are shared."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(copied(item) for item in value)
    return value


def identical(first, second):
    """Whether two arguments are equal bit for bit, types included; functions count as equal to themselves."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()
    if isinstance(first, dict):
        return list(first) == list(second) and all(identical(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(identical, first, second))
    return callable(first) or first == second or (first != first and second != second)


def describe(value):
    """Say what a value is on one line: small ones in full, larger ones by dtype and shape."""
    if isinstance(value, Opaque):
        return f"a {value.type_name}"
    if isinstance(value, np.ndarray):
        kind = f"{value.dtype} {value.shape}".replace(",)", ",)")
        if 0 < value.size <= 6:
            return f"{kind} {np.array2string(value, precision=5, separator=', ', floatmode='maxprec')}".replace("\n", "")
        return kind
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {describe(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        text = "[" + ", ".join(describe(item) for item in value[:6]) + (", ..." if len(value) > 6 else "") + "]"
        return text if isinstance(value, list) else "(" + text[1:-1] + ")"
    if callable(value):
        return "a function"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def as_array(value, where):
    """Turn a plain answer into a real numeric array, or raise Mismatch. Lists and tuples of rows are converted."""
    if value is None:
        raise Mismatch("returned_none", where=where)
    if isinstance(value, Opaque):
        raise Mismatch("not_plain", where=where, got=value.type_name)
    if isinstance(value, (str, dict)):
        raise Mismatch("wrong_type", where=where, expected="a numpy array", got=type(value).__name__)
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        raise Mismatch("ragged", where=where) from None
    if array.dtype.kind not in "biufc":
        raise Mismatch("not_plain", where=where, got=f"{type(value).__name__} of dtype {array.dtype}")
    if array.dtype.kind == "c":
        if np.any(array.imag):
            raise Mismatch("complex_result", where=where)
        array = array.real
    return array


@np.errstate(all="ignore")  # infinities and NaN are answers to judge, not accidents to warn of
def compare_arrays(expected, got, allowed, where, strict):
    """Shape, finiteness, values of one array; `allowed(expected)` gives the permitted absolute error."""
    got = as_array(got, where)
    if expected.dtype.kind == "b" and strict and got.dtype.kind != "b":
        raise Mismatch("wrong_type", where=where, expected="a bool array", got=f"an array of dtype {got.dtype}")
    if expected.dtype.kind in "iu" and strict and got.dtype.kind not in "iu" and got.size:
        raise Mismatch("wrong_type", where=where, expected="integers", got=f"dtype {got.dtype}")
    if got.shape != expected.shape:
        squeezed = tuple(n for n in got.shape if n != 1) == tuple(n for n in expected.shape if n != 1)
        if strict or not squeezed:
            alike = not squeezed and got.size == expected.size and agrees(np.sort(expected, None), np.sort(got, None), allowed)
            raise Mismatch("extra_axis" if squeezed else "wrong_shape", where=where, expected=expected.shape, got=got.shape,
                           remark_key=("remark_right_values", {}) if alike else None)
        got = got.reshape(expected.shape)
    if expected.dtype.kind in "biu" and got.dtype.kind in "biu":
        wrong = expected != got
    else:
        expected, got = expected.astype(float), got.astype(float)
        finite = np.isfinite(expected)
        strange = finite & ~np.isfinite(got)
        if strange.any():
            index = tuple(int(i) for i in np.argwhere(strange)[0])
            raise Mismatch("not_finite", where=where, count=int(strange.sum()), size=expected.size, index=index,
                           got=describe(got[index]), expected=describe(expected[index]))
        wrong = np.where(finite, np.abs(np.where(finite, got - np.where(finite, expected, 0), 0)) > allowed(expected),
                         ~((expected == got) | (np.isnan(expected) & np.isnan(got))))
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise Mismatch("wrong_value" if expected.shape else "wrong_number", where=where, shape=expected.shape,
                       index=index[0] if len(index) == 1 else index, count=int(wrong.sum()), size=expected.size,
                       expected=describe(expected[index]), got=describe(got[index]),
                       remark_key=resemblance(expected, got, allowed))


def resemblance(expected, got, allowed):
    """Name a familiar way of being wrong: the transpose, or one constant factor everywhere; else None."""
    is_float = expected.dtype.kind == "f"
    expected, got, limit = expected.astype(float), got.astype(float), allowed(expected)
    if expected.ndim == 2 and expected.shape[0] == expected.shape[1] and np.all(np.abs(got.T - expected) <= limit):
        return ("remark_transposed", {})
    scale = float(np.sum(expected * expected))
    factor = float(np.sum(got * expected)) / scale if scale > 0 and is_float else 0.0
    if expected.size > 1 and abs(factor) > 1e-9 and np.all(np.abs(got - factor * expected) <= abs(factor) * limit):
        return ("remark_factor", {"factor": f"{factor:.4g}"})
    return None


def compare(expected, got, allowed, where, strict=False):
    """Compare an answer with the reference's, part by part, and raise Mismatch at the first difference.

    `strict` also demands the contract's exact shapes and integer or bool types; without it a superfluous axis of
    length one is dropped.
    """
    if isinstance(got, Opaque):
        raise Mismatch("not_plain", where=where, got=got.type_name)
    if got is None:
        raise Mismatch("returned_none", where=where)
    if isinstance(expected, list) and any(isinstance(item, (str, dict)) for item in expected):
        expected = tuple(expected)  # not rows of an array
    if isinstance(expected, tuple):
        if isinstance(got, np.ndarray) and got.ndim and len(got) == len(expected):
            got = tuple(got)
        if not isinstance(got, (tuple, list)):
            raise Mismatch("wrong_type", where=where, expected=f"{len(expected)} results", got=type(got).__name__)
        if len(got) != len(expected):
            raise Mismatch("wrong_count", where=where, expected=len(expected), got=len(got))
        try:
            for position, (one, other) in enumerate(zip(expected, got)):
                compare(one, other, allowed, f"{where}[{position}]", strict)
        except Mismatch as mismatch:
            if len(expected) == 2 and agrees(expected[0], got[1], allowed) and agrees(expected[1], got[0], allowed):
                raise Mismatch("swapped", where=where) from None
            raise mismatch
    elif isinstance(expected, dict):
        if not isinstance(got, dict):
            raise Mismatch("wrong_type", where=where, expected="a dict", got=type(got).__name__)
        for key in expected:
            if key not in got:
                raise Mismatch("missing_key", where=where, key=repr(key), got=", ".join(map(repr, list(got)[:12])))
        for key in expected:
            compare(expected[key], got[key], allowed, f"{where}[{key!r}]", strict)
    elif isinstance(expected, str):
        if not isinstance(got, str):
            raise Mismatch("wrong_type", where=where, expected="a string", got=type(got).__name__)
        if got != expected:
            raise Mismatch("wrong_number", where=where, expected=repr(expected), got=describe(got), remark_key=None)
    else:
        compare_arrays(np.asarray(expected), got, allowed, where, strict)


def agrees(expected, got, allowed, strict=False):
    """Whether :func:`compare` finds no difference."""
    try:
        compare(expected, got, allowed, "", strict)
    except Mismatch:
        return False
    return True


def same(first, second, allowed):
    """Whether two plain answers, right or wrong, are alike in form and values."""
    if isinstance(first, (tuple, list)) and isinstance(second, (tuple, list)) and len(first) == len(second):
        return all(same(one, other, allowed) for one, other in zip(first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key], allowed) for key in first)
    if any(isinstance(value, (str, dict, Opaque, type(None))) for value in (first, second)):
        return describe(first) == describe(second)
    try:
        if np.iscomplexobj(first) or np.iscomplexobj(second):
            return all(agrees(part(first), part(second), allowed, strict=True) for part in (np.real, np.imag))
        return agrees(np.asarray(first), second, allowed, strict=True)
    except (ValueError, TypeError):  # rows of different lengths
        return describe(first) == describe(second)


class CaseFailed(AssertionError):
    """A property that does not hold; the text is the whole message for the reader. `answers` led to it."""

    answers = ()


class Ask:
    """One case's questions to one learner function.

    `env` maps names to callables (the notebook's namespace, or proxies of it); `case` is `stage/question/name`;
    `setting` holds the seed, the tolerances, the texts, the names of the parameters, the reference, and an `oracle`:
    `oracle(case)(compute)` gives a value that only the reference can give, computed now or recorded earlier.
    """

    def __init__(self, env, case, setting):
        self.case = case
        self.question = case.split("/")[1]
        self.setting = setting
        self._asked = None
        self._answers = []  # (error's class names or None, result, which arguments changed) of every call
        self._oracle = setting["oracle"](case)
        self.function = env.get(self.question)
        if not callable(self.function):
            near = difflib.get_close_matches(self.question, [n for n in env if isinstance(n, str) and callable(env[n])], 1)
            self.fail("misspelt" if near else "missing", near=near[0] if near else "")
        begin_case = getattr(self.function, "begin_case", None)
        if begin_case is not None:
            begin_case(case)

    # --- inputs ------------------------------------------------------------------------------------------------

    def generators(self, count):
        """`count` independent random generators that depend on the course's seed and the case alone."""
        return [np.random.default_rng([self.setting["seed"], *self.case.encode(), i]) for i in range(count)]

    # --- asking ------------------------------------------------------------------------------------------------

    def call(self, *args):
        """The learner's answer on copies of `args`, as plain data; a raised exception fails the case."""
        result, error = self._attempt(args)
        if error is not None:
            kinds, text, line = error
            place = self._text("at_line", line=line) if line else ""
            self.fail("raised", error=f"{kinds[0]}: {text}" if text else kinds[0], place=place)
        return result

    def reference(self, *args):
        """The reference's answer on its own copies of `args`."""
        return self._oracle(lambda: self.setting["reference"](*copied(args)))

    def expected(self, compute):
        """A value computed from the reference by `compute(reference)`; recorded in released cases."""
        return self._oracle(lambda: compute(self.setting["reference"]))

    def agrees(self, *args, tolerance="default", expected=None):
        """Compare the learner's answer with the reference's (or with `expected`); return the learner's answer."""
        return self._agrees(args, tolerance, expected, strict=False)

    def has_types_and_shapes(self, *args, tolerance="default"):
        """The contract's exact types and shapes, on an answer whose values are right as well."""
        self._agrees(args, tolerance, None, strict=True)

    def keeps_arguments(self, *args, tolerance="default"):
        """A right answer that leaves every argument as it was, bit for bit."""
        self.agrees(*args, tolerance=tolerance)
        for name, before, after in zip(self.setting["parameters"], args, self._after):
            if not identical(before, after):
                self.fail("argument_changed", argument=name, change=self._first_change(before, after))

    def keeps_no_state(self, args, other, tolerance="default"):
        """The same answer, and the right one, for the same arguments after a call with `other` arguments."""
        expected = self.reference(*args)
        self._agrees(args, tolerance, expected, strict=False)
        self.agrees(*other, tolerance=tolerance)
        second = self.call(*args)
        try:
            compare(expected, second, self._allowed(tolerance), self._text("the_result"))
        except Mismatch as mismatch:
            self.fail("state_kept", difference=self._mismatch_text(mismatch))

    def refuses(self, *bad, valid, tolerance="default"):
        """A right answer on the `valid` arguments and a ValueError on each of the `bad` ones (a tuple each)."""
        self.agrees(*valid, tolerance=tolerance)
        for args in bad:
            result, error = self._attempt(args)
            if error is None:
                self.fail("bad_input_accepted", got=describe(result))
            kinds, text, _ = error
            if "ValueError" not in kinds:
                self.fail("bad_input_other_error", error=f"{kinds[0]}: {text}" if text else kinds[0])

    def requires(self, condition, key, /, **fields):
        """Fail with the text `key` unless `condition` holds (for properties that no method above covers)."""
        if not condition:
            self.fail(key, **fields)

    def fail(self, key, /, **fields):
        """End the case with a message that stands alone: the property, what was asked, what is wrong."""
        title = self.setting["texts"]["cases"].get(self.case.split("/", 1)[1], self.case.split("/")[-1])
        lines = [self._text("headline", question=self.question, title=title)]
        if self._asked is not None:
            given = ", ".join(f"{name} = {describe(value)}" for name, value in zip(self.setting["parameters"], self._asked))
            lines.append(self._text("asked", call=f"{self.question}({given})"))
        lines.append(self._text(key, question=self.question, **fields))
        known = self.setting.get("hints", {}).get(self.case, ())
        hints = [hint for hint, answers in known if same_answers(answers, self._answers, self._allowed("default"))]
        failure = CaseFailed("\n".join(lines + [self._text("hint", hint=hint) for hint in hints[:1]]))
        failure.answers = self._answers
        raise failure

    # --- inside ------------------------------------------------------------------------------------------------

    def _text(self, key, /, **fields):
        return self.setting["texts"]["checks"][key].format(**fields)

    def _mismatch_text(self, mismatch):
        fields = dict(mismatch.fields)
        remark = fields.pop("remark_key", None)
        text = self._text(mismatch.key, **fields)
        if remark is None:
            return text
        key, remark_fields = remark
        size = _size_named(remark_fields.get("factor"), self.setting["parameters"], self._asked)
        if size is not None:
            key, remark_fields = "remark_factor_of_size", {**remark_fields, "size": size}
        return text + "\n  " + self._text(key, **remark_fields)

    def _attempt(self, args):
        """Call the learner: (plain result, None) or (None, (exception class names, text, line)). A stub ends the case."""
        self._asked = args
        result, error, self._after = attempt(self.function, args)
        self._answers.append((error and error[0], result, changes(args, self._after)))
        if error is not None and error[0][0] == "NotImplementedError":
            self.fail("not_attempted")
        if error is not None and error[0][0] in ("timeout", "crashed", "protocol"):
            self.fail(error[0][0], detail=error[1])
        return result, error

    def _agrees(self, args, tolerance, expected, strict):
        if expected is None:
            expected = self.reference(*args)
        answer = self.call(*args)
        try:
            compare(expected, answer, self._allowed(tolerance), self._text("the_result"), strict)
        except Mismatch as mismatch:
            self.fail("mismatch", difference=self._mismatch_text(mismatch))
        return answer

    def _allowed(self, tolerance):
        limits = self.setting["tolerances"]
        if tolerance == "default":
            tolerance = limits["relative"]
        if tolerance == "entrywise":
            return lambda expected: limits["entrywise_relative"] * np.abs(expected) + limits["absolute_floor"]
        if tolerance == "sigmoid":
            return lambda expected: np.full(np.shape(expected), limits["sigmoid_absolute"])

        def scaled(expected):
            finite = np.abs(expected[np.isfinite(expected)])
            return np.full(expected.shape, max(tolerance * finite.max(initial=0.0), limits["absolute_floor"]))
        return scaled

    def _first_change(self, before, after):
        if isinstance(before, dict) and isinstance(after, dict):
            for key in before:
                if key not in after or not identical(before[key], after[key]):
                    inner = self._first_change(before[key], after[key]) if key in after else self._text("removed")
                    return f"[{key!r}] {inner}"
        if isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)) and len(before) == len(after):
            differing = [i for i, (one, other) in enumerate(zip(before, after)) if not identical(one, other)]
            if differing:
                return f"[{differing[0]}] {self._first_change(before[differing[0]], after[differing[0]])}"
        if isinstance(before, np.ndarray) and isinstance(after, np.ndarray) and before.shape == after.shape:
            changed = np.argwhere((before != after) & ~((before != before) & (after != after)))
            if len(changed):
                index = tuple(int(i) for i in changed[0])
                return self._text("changed_entry", index=index, before=describe(before[index]), after=describe(after[index]))
        return self._text("changed_value", before=describe(before), after=describe(after))


def attempt(function, args):
    """Call a function on copies: (plain result, error, arguments afterwards); error is (class names, text, line)."""
    passed = copied(args)
    error = result = None
    try:
        result = plain(function(*passed))
    except KeyboardInterrupt:
        raise
    except BaseException as exception:  # SystemExit and friends are answers too, not an end of grading
        error = getattr(exception, "learner_error", None) or _described(exception)
    after = getattr(function, "arguments_after", None)
    return result, error, passed if after is None else after


def changes(before, after):
    """Which arguments a call has changed, as bools."""
    return tuple(not identical(one, other) for one, other in zip(before, after))


def same_answers(first, second, allowed):
    """Whether two sequences of answers (error's class names, result, changed arguments) are alike."""
    return len(first) == len(second) and all(
        _same_error(one[0], other[0]) and one[2] == other[2] and (one[0] is not None or same(one[1], other[1], allowed))
        for one, other in zip(first, second))


def _same_error(first, second):
    """Whether both are no error, or one is of the other's class."""
    if first is None or second is None:
        return first is second
    return first[0] in second or second[0] in first


def _size_named(factor, names, args):
    """Say which length among the arguments a factor (as text) is, or is one over; None if it is none of them."""
    for name, value in zip(names, args or ()):
        shape = value.shape if isinstance(value, np.ndarray) else (len(value),) if isinstance(value, list) else ()
        for axis, length in enumerate(shape):
            if length > 1 and factor in (f"{length:.4g}", f"{1 / length:.4g}"):
                return f"{length} = {name}.shape[{axis}]" if isinstance(value, np.ndarray) else f"{length} = len({name})"
    return None


def _described(exception):
    """(class names, text, line in the learner's code) of an exception that was raised in this process."""
    line = exception.__traceback__
    while line is not None and line.tb_next is not None:
        line = line.tb_next
    kinds = [kind.__name__ for kind in type(exception).__mro__]
    try:
        text = str(exception)[:300]
    except Exception:  # a learner's class may not know how to print itself
        text = ""
    return kinds, text, line.tb_lineno if line is not None else None


def computed(case):
    """The oracle where the reference is at hand: compute every value."""
    return lambda compute: compute()


def recorded(answers):
    """The oracle of released cases: the values that were recorded for each case, in the order of asking."""
    def oracle(case):
        remaining = iter(answers[case])
        return lambda compute: next(remaining)
    return oracle

SETTING = {**{'seed': 20260901, 'tolerances': {'relative': 1e-05, 'absolute_floor': 1e-12, 'entrywise_relative': 0.0001, 'sigmoid_absolute': 1e-07, 'gradient_check': 1e-06}, 'texts': {'checks': {'headline': '{question}: {title}', 'asked': '  asked:    {call}', 'the_result': 'the result', 'the_gradient': 'the gradient', 'missing': "  `{question}` is not defined in your notebook. Run the cell that defines it, or restore the function's name.", 'misspelt': '  `{question}` is not defined in your notebook, but `{near}` is. Is the name misspelt?', 'not_attempted': '  `{question}` still raises NotImplementedError: not attempted yet.', 'raised': '  got:      your function raised {error}{place}', 'at_line': ' (line {line} of the code it was in)', 'timeout': '  got:      no answer within {detail}. Look for a loop that never ends.', 'crashed': '  got:      the process that ran your function ended without an answer ({detail}).', 'protocol': '  got:      an answer that cannot be read ({detail}).', 'mismatch': '  {difference}', 'returned_none': 'got:      {where} is None. Is the return line missing, or inside the loop?', 'not_plain': 'got:      {where} is a {got}. Return plain numpy arrays and numbers; np.asarray(...) converts.', 'wrong_type': 'expected: {where} as {expected}\n  got:      {got}', 'ragged': 'got:      {where} cannot be read as an array: its rows differ in length or hold other objects.', 'complex_result': 'got:      {where} has an imaginary part. Expected real numbers.', 'wrong_count': 'expected: {expected} results\n  got:      {got}', 'swapped': 'got:      the two results in the wrong order.', 'missing_key': 'expected: {where} has the key {key}\n  got:      keys {got}', 'wrong_shape': 'expected: {where} has shape {expected}\n  got:      shape {got}', 'extra_axis': 'expected: {where} has shape {expected}\n  got:      shape {got}: an axis of length one too many or too few', 'not_finite': 'got:      {where} has {count} of {size} entries that are not finite; the first at index {index}: {got}, expected {expected}', 'wrong_number': 'expected: {where} is {expected}\n  got:      {got}', 'wrong_value': '{where} of shape {shape} differs in {count} of {size} entries, first at index {index}\n  expected: {expected}\n  got:      {got}', 'remark_transposed': 'note:     your result is the transpose of the expected one.', 'remark_factor': 'note:     every entry is {factor} times the expected one.', 'remark_factor_of_size': 'note:     every entry is {factor} times the expected one ({size}).', 'remark_right_values': 'note:     the values are right, their arrangement is not.', 'hint': '  hint:     {hint}', 'argument_changed': '  got:      the right answer, but the call changed its argument `{argument}`: {change}. Work on a copy.', 'changed_entry': 'at index {index} from {before} to {after}', 'changed_value': 'from {before} to {after}', 'removed': 'removed', 'state_kept': '  got:      another answer at the second identical call. A function keeps nothing between calls.\n  {difference}', 'bad_input_accepted': '  expected: ValueError for this input\n  got:      {got}', 'bad_input_other_error': '  expected: ValueError for this input\n  got:      {error}', 'overflow_expected': '  expected: a loss that is inf or NaN, after 400 steps of this explosion\n  got:      something else', 'other_signal': '  row {row} of the fault matrix: the record of your run should give {signal} = {expected}\n  got:      {got}', 'loss_not_down': '  row b of the fault matrix: 100 clipped updates should bring the loss down to at most 1e-10 of the first\n  got:      a larger one', 'clipping_made_a_difference': '  row c of the fault matrix: no gradient is above tau, so the run with clipping and the one without are identical\n  got:      two different records', 'finite_elsewhere': '  {name}: expected finite values up to the first loss that is not finite, and none (the norms: NaN) from there on\n  got:      finite values elsewhere', 'not_a_measured_error': '  expected: one number, the relative error as measured\n  got:      something else', 'error_of_another_size': '  expected: an error below 1e-6, and above 0: rounding never agrees to the last bit\n  got:      {error}', 'another_error_again': '  expected: the same error for the same seed\n  got:      another one at the second call', 'the_same_error_for_other_seeds': '  expected: other networks, so other errors, for other seeds\n  got:      the same one', 'gradient_differs': '  {array} of shape {shape} disagrees with central differences: error {error}, limit {limit}\n  largest difference at index {index}\n  expected: {expected}\n  got:      {got}'}, 'cases': {'bptt_grad/one_step': 'loss and gradients of a single step', 'bptt_grad/three_steps': 'loss and gradients of three steps', 'bptt_grad/types_and_shapes': "a loss and five gradients, each with its parameter's shape"}}, 'parameters': ['xs', 'targets', 'a0', 'params']}, 'oracle': recorded(ANSWERS), 'hints': HINTS}

OK_FORMAT = False
name = 'bptt_grad'
points = [1.75, 1.75, 1.5]
