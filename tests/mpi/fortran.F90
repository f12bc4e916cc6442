! Each rank sends 100 integers to the next one, ten times, and all write a file together.
! By the module mpi, or with -DF08 by mpi_f08, which has types for handles; there, the error code may
! be left out.
#ifdef F08
#define AND_ERROR
#else
#define AND_ERROR , error
#endif
program ranks_of_fortran
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
#ifdef F08
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  type(MPI_File) :: file
#else
  integer :: request, status(MPI_STATUS_SIZE), file
#endif
  integer :: error, rank, ranks, round, mine(100), theirs(100)
  integer :: i, counts(3), places(3)
  integer, allocatable :: sent(:)
  mine = 1
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do round = 1, 10
    call MPI_Isend(mine, 100, MPI_INTEGER, mod(rank + 1, ranks), 0, MPI_COMM_WORLD, request, error)
    call MPI_Recv(theirs, 100, MPI_INTEGER, mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, &
                  MPI_STATUS_IGNORE, error)
    call MPI_Wait(request, status, error)
  end do
  call MPI_Allreduce(MPI_IN_PLACE, mine, 100, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (mine(100) /= ranks) stop 3
  counts = 2
  places = [(2 * i, i = 0, ranks - 1)]
  call MPI_Gatherv(mine, 2, MPI_INTEGER, theirs, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD AND_ERROR)
  call MPI_Alltoallv(mine, counts, places, MPI_INTEGER, theirs, counts, places, MPI_INTEGER, &
                     MPI_COMM_WORLD AND_ERROR)
  ! the counts that are sent have no meaning
  call MPI_Alltoallv(MPI_IN_PLACE, [-1], [0], MPI_DATATYPE_NULL, theirs, counts, places, &
                     MPI_INTEGER, MPI_COMM_WORLD AND_ERROR)
  ! rank 0 alone sends; the others have no buffer for it, and its address is 0
  if (rank == 0) then
    allocate(sent(6))
    sent = 1
  else
    counts = 0
  end if
  call MPI_Alltoallv(sent, counts, places, MPI_INTEGER, theirs, [2, 0, 0], places, MPI_INTEGER, &
                     MPI_COMM_WORLD AND_ERROR)
  call MPI_Send_init(mine, 5, MPI_INTEGER, mod(rank + 1, ranks), 0, MPI_COMM_WORLD, request AND_ERROR)
  call MPI_Start(request AND_ERROR)
  call MPI_Recv(theirs, 5, MPI_INTEGER, mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, &
                MPI_STATUS_IGNORE AND_ERROR)
  call MPI_Wait(request, status AND_ERROR)
  call MPI_Request_free(request AND_ERROR)
  call MPI_File_open(MPI_COMM_WORLD, 'written_by_fortran', MPI_MODE_CREATE + MPI_MODE_WRONLY, &
                     MPI_INFO_NULL, file, error)
  if (error /= MPI_SUCCESS) stop 4
  call MPI_File_write_at_all(file, int(400 * rank, MPI_OFFSET_KIND), mine, 100, MPI_INTEGER, &
                             MPI_STATUS_IGNORE, error)
  call MPI_File_close(file, error)
  call MPI_Finalize(error)
end program
